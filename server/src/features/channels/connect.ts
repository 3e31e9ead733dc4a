import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type SecretKey, seal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import {
  type NumberFields,
  readNumber,
  readSubscribedApps,
  registerNumber,
  subscribeApp,
  wabaHasNumber,
} from '../../platform/upstream/numbers.ts'
import { findAccount } from '../accounts/public.ts'
import type { Channel } from './channel.ts'
import { type ConnectStep, notInWaba, notSubscribed, onBusinessApp, type StepFailure, stepFailed } from './failed-step.ts'
import { getsNotices, numberFacts } from './number-facts.ts'
import { ownerOfNumber, upsertChannel } from './store.ts'

type Deps = {
  database: Database
  clock: Clock
  graph: Graph
  secretKey: SecretKey
  /** Our Meta app, where it is known; else any app counts as ours. */
  appId?: string | null
}

export type ConnectInput = {
  accountId: Uuid
  phoneNumberId: string
  wabaId: string
  token: string
  /** Six digits: the number is also registered on the Cloud API. Null: it is registered already. */
  pin: string | null
}

const ofAnotherAccount = refusal(
  'conflict',
  because(
    'number_of_another',
    'Another account has this phone number id. Disconnecting does not free it: a number belongs to one account.',
  ),
)

/**
 * Connects a number, step by step: it is read, which proves the token; the WABA must have it; its notices are asked for, and must then
 * be on; it is registered when a pin is given; the token is kept sealed. In the same account it may be repeated, with a new token too.
 * Each step may be done twice, so that a failure is mended by connecting again (rule: channels 1).
 */
export async function connectChannel(deps: Deps, input: ConnectInput): Promise<Result<Channel, Refusal>> {
  const { result } = await connectByStep(deps, input)
  return result
}

/** What came of it, the steps that were done, and the one that failed; null: none did, although the result may be refused for another reason. */
export type Connecting = { result: Result<Channel, Refusal>; done: readonly ConnectStep[]; failed: StepFailure | null }

/** The same for whoever is shown each step. */
export async function connectByStep(deps: Deps, input: ConnectInput): Promise<Connecting> {
  const wrong = wrongInput(input) ?? (await notAllowed(deps, input))
  if (wrong !== null) return { result: refused(wrong), done: [], failed: null }
  const done: ConnectStep[] = []
  const number = await prepareUpstream(deps, input, done)
  if (!number.ok) return { result: refused(number.refusal.refusal), done, failed: number.refusal }
  return { result: await store(deps, input, number.value), done, failed: null }
}

async function store(deps: Deps, input: ConnectInput, number: Read): Promise<Result<Channel, Refusal>> {
  const now = deps.clock.now()
  const { accountId, phoneNumberId, wabaId } = input
  const channel: Channel = {
    ...{ id: newUuid(now), accountId, phoneNumberId, wabaId, createdAt: now },
    ...numberFacts(number.fields),
    ...{ subscribed: true, checkedAt: number.readAt, lastNoticeAt: null },
  }
  const token = seal(deps.secretKey, input.token)
  const stored = await deps.database.transaction((tx) => upsertChannel(tx, channel, token))
  // The unique index decides when two accounts connect one number at the same time.
  return stored === null ? refused(ofAnotherAccount) : ok(stored)
}

function wrongInput(input: ConnectInput): Refusal | null {
  if (!/^[0-9]{1,32}$/.test(input.phoneNumberId))
    return invalidField(
      'phone_number_id',
      because('phone_number_id', 'The phone number id is the digits that Meta shows, not the phone number itself.'),
    )
  if (!/^[0-9]{1,32}$/.test(input.wabaId))
    return invalidField('waba_id', because('digits_only', 'The WABA id is the digits that Meta shows.'))
  if (input.pin !== null && !/^[0-9]{6}$/.test(input.pin)) return invalidField('pin', because('pin', 'The pin has six digits.'))
  return wrongToken(input.token)
}

/** A token travels in a header: anything but visible ASCII would break the call, or smuggle another header into it. */
export function wrongToken(token: string): Refusal | null {
  return /^[\x21-\x7e]{1,2000}$/.test(token)
    ? null
    : invalidField('token', because('token_strange', 'The token must be 1 to 2000 visible characters without blanks.'))
}

async function notAllowed(deps: Deps, input: ConnectInput): Promise<Refusal | null> {
  if ((await findAccount(deps.database, input.accountId)) === null)
    return refusal('not_found', because('no_account', 'There is no account with this id.'))
  const owner = await ownerOfNumber(deps.database, input.phoneNumberId)
  return owner === null || owner === input.accountId ? null : ofAnotherAccount
}

type Read = { fields: NumberFields; readAt: Date }

/** Adds each step that was done to `done`. */
async function prepareUpstream(deps: Deps, input: ConnectInput, done: ConnectStep[]): Promise<Result<Read, StepFailure>> {
  const number = await readNow(deps, input)
  if (!number.ok) return number
  done.push('read')
  if (input.pin !== null && number.value.fields.isOnBusinessApp === true) return refused(onBusinessApp())
  const outside = await outsideWaba(deps.graph, input)
  if (outside !== null) return refused(outside)
  done.push('waba')
  const unheard = await withoutNotices(deps, input)
  if (unheard !== null) return refused(unheard)
  done.push('subscribe')
  if (input.pin === null) return number
  const registered = await registerNumber(deps.graph, { ...input, pin: input.pin })
  if (!registered.ok) return refused(stepFailed('register', registered.refusal))
  done.push('register')
  // Its status and platform are other ones now.
  return readNow(deps, input)
}

async function readNow({ graph, clock }: Deps, input: ConnectInput): Promise<Result<Read, StepFailure>> {
  // Before the call: what changes while it is under way is newer than its answer.
  const readAt = clock.now()
  const number = await readNumber(graph, input)
  return number.ok ? ok({ fields: number.value, readAt }) : refused(stepFailed('read', number.refusal))
}

/** A number with the WABA of another one would get that one's templates, and the notices of none. */
async function outsideWaba(graph: Graph, input: ConnectInput): Promise<StepFailure | null> {
  const has = await wabaHasNumber(graph, input)
  if (!has.ok) return stepFailed('waba', has.refusal)
  return has.value ? null : notInWaba(input)
}

async function withoutNotices({ graph, appId = null }: Deps, input: ConnectInput): Promise<StepFailure | null> {
  const asked = await subscribeApp(graph, input)
  if (!asked.ok) return stepFailed('subscribe', asked.refusal)
  const apps = await readSubscribedApps(graph, input)
  if (!apps.ok) return stepFailed('subscribe', apps.refusal)
  return getsNotices(apps.value, appId) ? null : notSubscribed(appId)
}
