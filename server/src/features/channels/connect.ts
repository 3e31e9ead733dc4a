import type { Clock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type SecretKey, seal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { type NumberFields, readNumber, registerNumber, subscribeApp } from '../../platform/upstream/numbers.ts'
import { findAccount } from '../accounts/public.ts'
import type { Channel } from './channel.ts'
import { stepFailed } from './failed-step.ts'
import { numberFacts } from './number-facts.ts'
import { ownerOfNumber, upsertChannel } from './store.ts'

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

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
 * Connects a number: reads it, asks for its notices, registers it when a pin is given, and keeps the token sealed. In the same
 * account it may be repeated, with a new token too. Each step may be done twice, so that a failure is mended by connecting again.
 */
export async function connectChannel(deps: Deps, input: ConnectInput): Promise<Result<Channel, Refusal>> {
  const wrong = wrongInput(input) ?? (await notAllowed(deps, input))
  if (wrong !== null) return refused(wrong)
  const number = await prepareUpstream(deps.graph, input)
  if (!number.ok) return number
  const now = deps.clock.now()
  const channel = { id: newUuid(now), accountId: input.accountId, phoneNumberId: input.phoneNumberId, wabaId: input.wabaId, createdAt: now }
  const token = seal(deps.secretKey, input.token)
  const stored = await deps.database.transaction((tx) => upsertChannel(tx, { ...channel, ...numberFacts(number.value) }, token))
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

async function prepareUpstream(graph: Graph, input: ConnectInput): Promise<Result<NumberFields, Refusal>> {
  const number = await readNumber(graph, input)
  if (!number.ok) return refused(stepFailed('read', number.refusal))
  if (input.pin !== null && number.value.isOnBusinessApp === true)
    return refused(
      invalidField(
        'pin',
        "The number also lives in the phone's Business app, and such a number is never registered: connect it without a pin.",
      ),
    )
  const subscribed = await subscribeApp(graph, input)
  if (!subscribed.ok) return refused(stepFailed('subscribe', subscribed.refusal))
  if (input.pin === null) return number
  const registered = await registerNumber(graph, { ...input, pin: input.pin })
  if (!registered.ok) return refused(stepFailed('register', registered.refusal))
  // Its status and platform are other ones now.
  const again = await readNumber(graph, input)
  return again.ok ? again : refused(stepFailed('read', again.refusal))
}
