import type { Clock } from '../../src/base/clock.ts'
import { connectChannel } from '../../src/features/channels/public.ts'
import { meetPeople, openWindows } from '../../src/features/contacts/public.ts'
import { followPeople } from '../../src/features/opt-outs/public.ts'
import { registerWebhook } from '../../src/features/webhooks/public.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { digits, goodGraph, newStage, type Stage, type StageNumber, secretKey, sql } from '../support/stage.ts'

export type SimulatedAccount = { stage: Stage; numbers: readonly StageNumber[]; webhooks: readonly string[] }

const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }

/** An account with two numbers, to which all these people have just written, and with webhooks of these names. */
export async function makeAccount(
  deps: { database: Database; clock: Clock },
  wanted: { phones: readonly string[]; webhooks: readonly string[] },
): Promise<SimulatedAccount> {
  const { database, clock } = deps
  const stage = await newStage(database, clock)
  const numbers = [stage, await stage.addNumber()]
  const { accountId } = stage
  await database.transaction(async (tx) => {
    const seen = wanted.phones.map((phone) => ({ accountId, livemode: true, waId: digits(phone), userId: null, name: null }))
    const met = await meetPeople(tx, { clock, follow: followPeople }, seen)
    const windows = numbers.flatMap(({ channelId }) =>
      met.flatMap((contact) => (contact === null ? [] : [{ accountId, channelId, contactId: contact.id, at: clock.now() }])),
    )
    await openWindows(tx, clock.now(), windows)
  })
  for (const name of wanted.webhooks) {
    const url = `https://receiver.example/${name}`
    const made = await registerWebhook({ database, clock, policy, secretKey }, { accountId, url, events: ['*'], description: null })
    if (!made.ok) throw new Error(made.refusal.message)
  }
  return { stage, numbers, webhooks: wanted.webhooks }
}

/** What the operator does with a number that upstream refused to serve: connects it again, as the tool would. */
export async function mendNumber(deps: { database: Database; clock: Clock }, stage: Stage, number: StageNumber): Promise<void> {
  const input = { accountId: stage.accountId, phoneNumberId: number.phoneNumberId, wabaId: '20480', token: 'mended', pin: null }
  await connectChannel({ ...deps, graph: goodGraph, secretKey }, input)
}

/** Empties the tables in which work of all accounts waits: what is left in them would be seen by the processes of the next seed. */
export async function forgetAccount(database: Database, stage: Stage): Promise<void> {
  await sql(database, 'delete from send_queue where account_id = $1', [stage.accountId])
  await sql(database, 'delete from webhook_lane where account_id = $1', [stage.accountId])
  await sql(database, 'delete from inbox')
  await sql(database, 'delete from notice_set_aside')
  await sql(database, 'delete from parked_status')
}
