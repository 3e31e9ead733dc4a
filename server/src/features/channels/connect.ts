import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { invalidField, type Refusal, refusal } from '../../base/refusal.ts'
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
import { notInWaba, notSubscribed, stepFailed } from './failed-step.ts'
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
  'Another account has this phone number id. Disconnecting does not free it: a number belongs to one account.',
)

/**
 * Connects a number, step by step: it is read, which proves the token; the WABA must have it; its notices are asked for, and must then
 * be on; it is registered when a pin is given; the token is kept sealed. In the same account it may be repeated, with a new token too.
 * Each step may be done twice, so that a failure is mended by connecting again (rule: channels 1).
 */
export async function connectChannel(deps: Deps, input: ConnectInput): Promise<Result<Channel, Refusal>> {
  const wrong = wrongInput(input) ?? (await notAllowed(deps, input))
  if (wrong !== null) return refused(wrong)
  const number = await prepareUpstream(deps, input)
  if (!number.ok) return number
  const now = deps.clock.now()
  const { accountId, phoneNumberId, wabaId } = input
  const channel: Channel = {
    ...{ id: newUuid(now), accountId, phoneNumberId, wabaId, createdAt: now },
    ...numberFacts(number.value.fields),
    ...{ subscribed: true, checkedAt: number.value.readAt, lastNoticeAt: null },
  }
  const token = seal(deps.secretKey, input.token)
  const stored = await deps.database.transaction((tx) => upsertChannel(tx, channel, token))
  // The unique index decides when two accounts connect one number at the same time.
  return stored === null ? refused(ofAnotherAccount) : ok(stored)
}

function wrongInput(input: ConnectInput): Refusal | null {
  if (!/^[0-9]{1,32}$/.test(input.phoneNumberId))
    return invalidField('phone_number_id', 'The phone number id is the digits that Meta shows, not the phone number itself.')
  if (!/^[0-9]{1,32}$/.test(input.wabaId)) return invalidField('waba_id', 'The WABA id is the digits that Meta shows.')
  if (input.pin !== null && !/^[0-9]{6}$/.test(input.pin)) return invalidField('pin', 'The pin has six digits.')
  return wrongToken(input.token)
}

/** A token travels in a header: anything but visible ASCII would break the call, or smuggle another header into it. */
export function wrongToken(token: string): Refusal | null {
  return /^[\x21-\x7e]{1,2000}$/.test(token)
    ? null
    : invalidField('token', 'The token must be 1 to 2000 visible characters without blanks.')
}

async function notAllowed(deps: Deps, input: ConnectInput): Promise<Refusal | null> {
  if ((await findAccount(deps.database, input.accountId)) === null) return refusal('not_found', 'There is no account with this id.')
  const owner = await ownerOfNumber(deps.database, input.phoneNumberId)
  return owner === null || owner === input.accountId ? null : ofAnotherAccount
}

type Read = { fields: NumberFields; readAt: Date }

async function prepareUpstream(deps: Deps, input: ConnectInput): Promise<Result<Read, Refusal>> {
  const number = await readNow(deps, input)
  if (!number.ok) return number
  if (input.pin !== null && number.value.fields.isOnBusinessApp === true)
    return refused(
      invalidField(
        'pin',
        "The number also lives in the phone's Business app, and such a number is never registered: connect it without a pin.",
      ),
    )
  const missing = (await outsideWaba(deps.graph, input)) ?? (await withoutNotices(deps, input))
  if (missing !== null) return refused(missing)
  if (input.pin === null) return number
  const registered = await registerNumber(deps.graph, { ...input, pin: input.pin })
  // Its status and platform are other ones now.
  return registered.ok ? readNow(deps, input) : refused(stepFailed('register', registered.refusal))
}

async function readNow({ graph, clock }: Deps, input: ConnectInput): Promise<Result<Read, Refusal>> {
  // Before the call: what changes while it is under way is newer than its answer.
  const readAt = clock.now()
  const number = await readNumber(graph, input)
  return number.ok ? ok({ fields: number.value, readAt }) : refused(stepFailed('read', number.refusal))
}

/** A number with the WABA of another one would get that one's templates, and the notices of none. */
async function outsideWaba(graph: Graph, input: ConnectInput): Promise<Refusal | null> {
  const has = await wabaHasNumber(graph, input)
  if (!has.ok) return stepFailed('waba', has.refusal)
  return has.value ? null : notInWaba(input)
}

async function withoutNotices({ graph, appId = null }: Deps, input: ConnectInput): Promise<Refusal | null> {
  const asked = await subscribeApp(graph, input)
  if (!asked.ok) return stepFailed('subscribe', asked.refusal)
  const apps = await readSubscribedApps(graph, input)
  if (!apps.ok) return stepFailed('subscribe', apps.refusal)
  return getsNotices(apps.value, appId) ? null : notSubscribed(appId)
}
