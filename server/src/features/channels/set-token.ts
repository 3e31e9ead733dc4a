import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type SecretKey, seal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { readNumber } from '../../platform/upstream/numbers.ts'
import type { Channel } from './channel.ts'
import { wrongToken } from './connect.ts'
import { stepFailed } from './failed-step.ts'
import { numberFacts } from './number-facts.ts'
import { findChannel, removeToken, updateToken } from './store.ts'

const unknownChannel = refusal('not_found', because('no_channel', 'There is no channel with this id.'))

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

/** Replaces the token after upstream has accepted it; a number that it can use is connected again. */
export async function setChannelToken(deps: Deps, input: { channelId: Uuid; token: string }): Promise<Result<Channel, Refusal>> {
  const wrong = wrongToken(input.token)
  if (wrong !== null) return refused(wrong)
  const channel = await findChannel(deps.database, input.channelId)
  if (channel === null) return refused(unknownChannel)
  const checkedAt = deps.clock.now()
  const number = await readNumber(deps.graph, { token: input.token, phoneNumberId: channel.phoneNumberId })
  if (!number.ok) return refused(stepFailed('read', number.refusal).refusal)
  const token = seal(deps.secretKey, input.token)
  return found(await deps.database.transaction((tx) => updateToken(tx, { ...channel, ...numberFacts(number.value), checkedAt }, token)))
}

/** Stops all sends of a number and forgets its token. It stays in the list, and can be connected again in the same account. */
export async function disconnectChannel(deps: { database: Database }, channelId: Uuid): Promise<Result<Channel, Refusal>> {
  return deps.database.transaction(async (tx) => {
    const channel = await findChannel(tx, channelId)
    return found(channel === null ? null : await removeToken(tx, channel))
  })
}

const found = (channel: Channel | null): Result<Channel, Refusal> => (channel === null ? refused(unknownChannel) : ok(channel))
