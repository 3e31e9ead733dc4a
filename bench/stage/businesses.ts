import { present } from '../../server/src/base/assert.ts'
import { formatId, type Uuid } from '../../server/src/base/id.ts'
import { parsePhone } from '../../server/src/base/phone.ts'
import type { Refusal } from '../../server/src/base/refusal.ts'
import type { Result } from '../../server/src/base/result.ts'
import { createAccount } from '../../server/src/features/accounts/public.ts'
import { issueKey } from '../../server/src/features/api-keys/public.ts'
import { connectChannel } from '../../server/src/features/channels/public.ts'
import { meetPeople, openWindows } from '../../server/src/features/contacts/public.ts'
import { followPeople } from '../../server/src/features/opt-outs/public.ts'
import type { Stage } from './stage.ts'

export type Person = { digits: string; contactId: Uuid }

/** A connected number, and the people who have just written to it. */
export type BenchNumber = {
  accountId: Uuid
  channelUuid: Uuid
  channelId: string
  phoneNumberId: string
  wabaId: string
  displayDigits: string
  token: string
  people: readonly Person[]
}

export type Business = { accountId: Uuid; key: string; numbers: readonly BenchNumber[] }

let numbersMade = 0
let peopleMade = 0

/** Makes accounts, each with a live key and so many connected numbers, each with so many people whose windows are open. */
export async function makeBusinesses(
  stage: Stage,
  { accounts, numbersEach, peopleEach }: { accounts: number; numbersEach: number; peopleEach: number },
): Promise<Business[]> {
  const made: Business[] = []
  // Some at a time: a thousand numbers one after the other would take longer than what is measured with them.
  for (let i = 0; i < accounts; i += 8)
    made.push(
      ...(await Promise.all(Array.from({ length: Math.min(8, accounts - i) }, () => makeBusiness(stage, { numbersEach, peopleEach })))),
    )
  return made
}

async function makeBusiness(stage: Stage, { numbersEach, peopleEach }: { numbersEach: number; peopleEach: number }): Promise<Business> {
  const account = done(await createAccount(stage.deps, { name: 'Loja', plan: null }))
  const { secret } = done(await issueKey(stage.deps, { accountId: account.id, livemode: true, scopes: null }))
  const numbers: BenchNumber[] = []
  for (let i = 0; i < numbersEach; i += 1) numbers.push(await makeNumber(stage, account.id, peopleEach))
  return { accountId: account.id, key: secret, numbers }
}

async function makeNumber(stage: Stage, accountId: Uuid, peopleCount: number): Promise<BenchNumber> {
  const number = nextNumber()
  await stage.simulator.command('numbers', number)
  const { id } = done(await connectChannel(stage.deps, { accountId, ...number, pin: null }))
  const people = peopleCount === 0 ? [] : await makePeople(stage, { accountId, channelId: id, count: peopleCount })
  return { ...number, accountId, channelUuid: id, channelId: formatId('ch', id), people }
}

/** A number that the platform can know, in a business account of its own. */
export function nextNumber(): { phoneNumberId: string; wabaId: string; displayDigits: string; token: string } {
  numbersMade += 1
  const name = String(numbersMade).padStart(7, '0')
  return { phoneNumberId: `11835${name}`, wabaId: `20481${name}`, displayDigits: `5511400${name.slice(-5)}`, token: `bench-token-${name}` }
}

/** Digits of someone new: a Brazilian mobile whose ending means nothing to the simulator. */
export function nextPerson(): string {
  peopleMade += 1
  return `55${11 + Math.floor(peopleMade / 100_000)}9887${String(peopleMade % 100_000).padStart(5, '0')}`
}

async function makePeople(stage: Stage, to: { accountId: Uuid; channelId: Uuid; count: number }): Promise<Person[]> {
  const { accountId, channelId, count } = to
  const phones = Array.from({ length: count }, nextPerson)
  return stage.deps.database.transaction(async (tx) => {
    const seen = phones.map((phone) => ({
      accountId,
      livemode: true,
      waId: present(parsePhone(phone), 'a phone'),
      userId: null,
      name: 'Maria Silva',
    }))
    const contacts = (await meetPeople(tx, { clock: stage.deps.clock, follow: followPeople }, seen)).map((each) =>
      present(each, 'a person with a phone'),
    )
    const at = stage.deps.clock.now()
    await openWindows(
      tx,
      at,
      contacts.map((each) => ({ accountId, channelId, contactId: each.id, at })),
    )
    return contacts.map((each, i) => ({ digits: present(phones[i], 'one for each'), contactId: each.id }))
  })
}

function done<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new Error(`refused: ${result.refusal.message}`)
  return result.value
}
