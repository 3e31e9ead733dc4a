import { randomBytes } from 'node:crypto'
import { present } from './base/assert.ts'
import type { Clock } from './base/clock.ts'
import type { Uuid } from './base/id.ts'
import { parsePhone } from './base/phone.ts'
import type { Refusal } from './base/refusal.ts'
import type { Result } from './base/result.ts'
import { type SecretKey, unseal } from './base/seal.ts'
import { createAccount, listAccounts } from './features/accounts/public.ts'
import { issueKey } from './features/api-keys/public.ts'
import { type ChannelInUse, channelsOf, connectChannel } from './features/channels/public.ts'
import { findPeople, lastInboundOf } from './features/contacts/public.ts'
import { addMember, listMembers, makeOperatorsLink } from './features/members/public.ts'
import { limits } from './limits.ts'
import type { Database } from './platform/database/database.ts'
import type { Graph } from './platform/upstream/graph.ts'
import type { Sandbox } from './sandbox.ts'

/** What the first start of the sandbox shows once. */
export type DemoKeys = { liveKey: string; testKey: string }

/** The person who has written to the demo account, so that an answer may be sent. */
export const demoPerson = { phone: '+55 11 98765-4321', digits: '5511987654321', name: 'Maria Silva' }

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey; sandbox: Sandbox }

/**
 * Puts the sandbox in place: the numbers that are connected here are known to the network again, and where there is no account
 * yet, one is made with a number and two keys, which are answered. Null on every later start.
 */
export async function prepareDemo(deps: Deps): Promise<DemoKeys | null> {
  const accounts = await listAccounts(deps.database)
  for (const channels of (
    await channelsOf(
      deps.database,
      accounts.map((each) => each.id),
    )
  ).values()) {
    for (const channel of channels) await addNumber(deps, channel)
  }
  return accounts.length === 0 ? makeDemo(deps) : null
}

async function addNumber({ sandbox, secretKey }: Deps, { phoneNumberId, wabaId, phone, sealedToken }: ChannelInUse): Promise<void> {
  if (sealedToken === null) return
  await sandbox.addNumber({ phoneNumberId, wabaId, displayDigits: phone ?? '0', token: unseal(secretKey, sealedToken) })
}

async function makeDemo(deps: Deps): Promise<DemoKeys> {
  const account = done(await createAccount(deps, { name: 'Loja Exemplo', plan: null }))
  const number = { phoneNumberId: '118350927764405', wabaId: '204817396550128', token: `sandbox-${randomBytes(12).toString('hex')}` }
  await deps.sandbox.addNumber({ ...number, displayDigits: '551140028922' })
  done(await connectChannel(deps, { ...number, accountId: account.id, pin: null }))
  const key = async (livemode: boolean) => done(await issueKey(deps, { accountId: account.id, livemode, scopes: null })).secret
  return { liveKey: await key(true), testKey: await key(false) }
}

function done<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new Error(`The sandbox could not be prepared: ${result.refusal.message}`)
  return result.value
}

/** Who owns the demo account, and signs in to its console. */
const demoOwner = { email: 'demo@example.com', name: 'Demo', role: 'owner' }

/** A link that signs the demo account's owner in, once: a new one at every start. Null where there are people already, and none of them is that one. */
export async function openDemoConsole({ database, clock }: Deps, publicUrl: string): Promise<string | null> {
  const [account] = await listAccounts(database)
  if (account === undefined) return null
  const members = await listMembers(database, account.id)
  if (members.length === 0) done(await addMember({ database, clock }, { ...demoOwner, accountId: account.id }))
  const made = await makeOperatorsLink({ database, clock, publicUrl }, demoOwner.email)
  return made.ok ? made.value.link : null
}

/** Left in the window when the demo person writes again. */
const windowLeftMsMin = 3_600_000

/** Lets the demo person write to the first account's number when its window is closed or about to close. The notices' address must be known by then. */
export async function openDemoWindow(deps: Deps): Promise<void> {
  const [account] = await listAccounts(deps.database)
  const channel = account && (await channelsOf(deps.database, [account.id])).get(account.id)?.find((each) => each.status === 'connected')
  if (!channel || (await windowIsOpen(deps, channel))) return
  const asked = deps.clock.monotonicMs()
  await deps.sandbox.letWrite({
    from: demoPerson.digits,
    name: demoPerson.name,
    text: 'Oi! Vocês entregam hoje?',
    phoneNumberId: channel.phoneNumberId,
  })
  // Who pastes the printed line at once must not find the window closed.
  while (!(await windowIsOpen(deps, channel)) && deps.clock.monotonicMs() - asked < windowMsMax) {
    await new Promise<void>((resolve) => setTimeout(resolve, windowLookMs))
  }
}

/** The notice has been taken by then and is worked through a moment later. */
const windowMsMax = 5_000
const windowLookMs = 20

async function windowIsOpen({ database, clock }: Deps, channel: { id: Uuid; accountId: Uuid }): Promise<boolean> {
  const digits = present(parsePhone(demoPerson.digits), 'the demo phone is well formed')
  const [person] = await findPeople(database, [{ accountId: channel.accountId, livemode: true, recipient: { kind: 'phone', digits } }])
  if (!person) return false
  const [last] = await lastInboundOf(database, [{ accountId: channel.accountId, channelId: channel.id, contactId: person.id }])
  return last instanceof Date && clock.now().getTime() - last.getTime() < limits.serviceWindowMs - windowLeftMsMin
}
