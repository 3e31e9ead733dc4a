import { readFileSync } from 'node:fs'
import { manualClock } from '../../src/base/clock.ts'
import type { Uuid } from '../../src/base/id.ts'
import { parseAnyJson } from '../../src/base/json.ts'
import { connectChannel } from '../../src/features/channels/public.ts'
import { done, type TestAccount } from './accounts.ts'
import type { ReceivedEvent, TestEvents } from './events.ts'
import type { TestGateway } from './gateway.ts'

export type SharedNumber = { phoneNumberId: string; displayDigits: string; channelId: Uuid }

/**
 * Two accounts with numbers of one business account, the first with two of them, and a third account with a number of another. Upstream
 * told of them half an hour ago, so that notices of the time since are news.
 */
export type SharedWaba = {
  wabaId: string
  first: TestAccount & { numbers: readonly [SharedNumber, SharedNumber] }
  second: TestAccount & { numbers: readonly [SharedNumber] }
  stranger: TestAccount & { numbers: readonly [SharedNumber] }
  /** A moment of the last quarter of an hour, in Unix seconds. */
  second0: number
  /** A fixture with the ids and times of this world. */
  fixture(name: string): string
  /** Posts a notice as upstream does, and waits until it has been worked through. */
  post(body: string | object): Promise<void>
  /** How many events each of the three was told, by kind. */
  told(): Promise<{ first: string[]; second: string[]; stranger: string[] }>
  /** The n-th event of an account as its webhook got it. */
  event(of: 'first' | 'second', n?: number): Promise<ReceivedEvent>
  /** The account's numbers as the API shows them. */
  channels(of: 'first' | 'second' | 'stranger'): Promise<Record<string, unknown>[]>
}

const folder = new URL('../fixtures/notices/', import.meta.url)
const fixturesBegan = 1_793_000_000
const readMinutesAgo = 30
let worlds = 0

export async function makeSharedWaba(gateway: TestGateway): Promise<SharedWaba> {
  worlds += 1
  const world = String(worlds).padStart(3, '0')
  const wabaId = `20481739${process.pid}${world}1`
  const clock = manualClock(new Date(Date.now() - readMinutesAgo * 60_000).toISOString())
  let numbers = 0
  const add = async (accountId: Uuid, waba: string): Promise<SharedNumber> => {
    numbers += 1
    // Their ids are in the order of their making.
    clock.advance(1_000)
    const name = `${world}${numbers}`
    const number = {
      phoneNumberId: `1183502${process.pid}${name}`,
      wabaId: waba,
      displayDigits: `55114100${name}`,
      token: `EAAshared-${process.pid}-${name}`,
    }
    gateway.simulator.addNumber(number)
    const channel = done(await connectChannel({ ...gateway.deps, clock }, { accountId, ...number, pin: null }))
    return { ...number, channelId: channel.id }
  }
  const [one, two, three] = [
    await gateway.account({ channels: 0 }),
    await gateway.account({ channels: 0 }),
    await gateway.account({ channels: 0 }),
  ]
  const first = { ...one, numbers: [await add(one.uuid, wabaId), await add(one.uuid, wabaId)] as const }
  const second = { ...two, numbers: [await add(two.uuid, wabaId)] as const }
  const stranger = { ...three, numbers: [await add(three.uuid, `20481739${process.pid}${world}2`)] as const }
  const accounts = { first, second, stranger }
  const events = { first: await gateway.events(first), second: await gateway.events(second), stranger: await gateway.events(stranger) }
  const second0 = Math.floor(Date.now() / 1_000) - 900

  const rows = async (account: TestAccount) =>
    gateway.deps.database.all<{ id: string; type: string }>({
      compile: () =>
        ({
          sql: "select 'evt_' || replace(id::text, '-', '') as id, type from event where account_id = $1 order by event.id",
          parameters: [account.uuid],
        }) as never,
    })
  const kinds = async (account: TestAccount) => (await rows(account)).map((each) => each.type)
  return {
    ...{ wabaId, first, second, stranger, second0 },
    fixture: (name) => mapped(name, { wabaId, number: first.numbers[0], other: first.numbers[1], second0 }),
    async post(body) {
      const [answer] = await gateway.simulator.postNotice(body)
      if (answer?.status !== 200) throw new Error(`the notice was answered ${answer?.status}`)
      await gateway.noticesWorked()
    },
    told: async () => ({ first: await kinds(first), second: await kinds(second), stranger: await kinds(stranger) }),
    async event(of, n = 0) {
      const row = (await rows(accounts[of]))[n]
      if (row === undefined) throw new Error(`there is no event ${n}`)
      return (events[of] as TestEvents).until((event) => event.id === row.id)
    },
    channels: async (of) => (await gateway.call('GET', '/v1/channels', { key: accounts[of].live })).body.data,
  }
}

type Mapping = { wabaId: string; number: SharedNumber; other: SharedNumber; second0: number }

function mapped(name: string, { wabaId, number, other, second0 }: Mapping): string {
  const names: readonly [string, string][] = [
    ['204817396550128', wabaId],
    ['118350927764405', number.phoneNumberId],
    ['118350927764999', other.phoneNumberId],
    ['15550104477', number.displayDigits],
    ['15550104488', other.displayDigits],
    // Beyond what a JavaScript number holds.
    ['1500000000000011', '90071992547409931'],
  ]
  return names
    .reduce((whole, [from, to]) => whole.replaceAll(from, to), readFileSync(new URL(`${name}.json`, folder), 'utf8'))
    .replaceAll(/\b1793000(\d{3})\b/g, (seconds) => String(Number(seconds) - fixturesBegan + second0))
}

/** A notice with these changes, told at this moment. */
export function noticeOf(wabaId: string, time: number | null, ...changes: readonly object[]) {
  return { object: 'whatsapp_business_account', entry: [{ id: wabaId, ...(time === null ? {} : { time }), changes }] }
}

/** The text of a value, with every digit of its numbers; the same for the same value. */
export const exactly = (text: string): string => JSON.stringify(parseAnyJson(text))
