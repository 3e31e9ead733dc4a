import type { Simulator } from '@pombo/simulator'
import type { Clock } from '../../src/base/clock.ts'
import { formatId, type Uuid } from '../../src/base/id.ts'
import type { Refusal } from '../../src/base/refusal.ts'
import type { Result } from '../../src/base/result.ts'
import type { SecretKey } from '../../src/base/seal.ts'
import { createAccount } from '../../src/features/accounts/public.ts'
import { issueKey, type Scope } from '../../src/features/api-keys/public.ts'
import { connectChannel } from '../../src/features/channels/public.ts'
import type { Database } from '../../src/platform/database/database.ts'
import type { Graph } from '../../src/platform/upstream/graph.ts'

/** What the public operations of the features ask for. */
export type OperationDeps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

export type TestChannel = {
  uuid: Uuid
  /** As the contract shows it: `ch_…`. */
  id: string
  phoneNumberId: string
  wabaId: string
  displayDigits: string
  token: string
}

export type TestKey = { uuid: Uuid; secret: string }

export type TestAccount = {
  uuid: Uuid
  live: string
  test: string
  liveKeyId: Uuid
  channels: readonly TestChannel[]
  /** The first of them. */
  channel: TestChannel
}

/** The value of an operation that must have been allowed. */
export function done<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new Error(`refused: ${result.refusal.code}: ${result.refusal.message}`)
  return result.value
}

let numbers = 0

/** A new account with a live and a test key, and with so many connected numbers of its own, each in a WABA of its own. */
export async function makeAccount(deps: OperationDeps, simulator: Simulator, channelCount: number): Promise<TestAccount> {
  const account = done(await createAccount(deps, { name: 'Loja de Teste', plan: null }))
  const channels: TestChannel[] = []
  for (let i = 0; i < channelCount; i += 1) channels.push(await addChannel(deps, simulator, account.id))
  const live = await makeKey(deps, account.id, { livemode: true })
  const test = await makeKey(deps, account.id, { livemode: false })
  // Tests of accounts without a number do not look at it.
  const channel = channels[0] as TestChannel
  return { uuid: account.id, live: live.secret, test: test.secret, liveKeyId: live.uuid, channels, channel }
}

/** One more connected number for the account. */
export async function addChannel(deps: OperationDeps, simulator: Simulator, accountId: Uuid): Promise<TestChannel> {
  numbers += 1
  const name = String(numbers).padStart(6, '0')
  const number = {
    phoneNumberId: `1183509${process.pid}${name}`,
    wabaId: `2048173${process.pid}${name}`,
    displayDigits: `551140${name}`,
    token: `EAAtest-${process.pid}-${name}`,
  }
  simulator.addNumber(number)
  const channel = done(await connectChannel(deps, { accountId, ...number, pin: null }))
  return { ...number, uuid: channel.id, id: formatId('ch', channel.id) }
}

/** One more key; without scopes it may do everything. */
export async function makeKey(
  deps: OperationDeps,
  accountId: Uuid,
  { livemode, scopes = null }: { livemode: boolean; scopes?: readonly Scope[] | null },
): Promise<TestKey> {
  const { key, secret } = done(await issueKey(deps, { accountId, livemode, scopes }))
  return { uuid: key.id, secret }
}
