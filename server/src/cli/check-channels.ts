import type { Clock } from '../base/clock.ts'
import { formatId } from '../base/id.ts'
import { type SecretKey, unseal } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { type ChannelInUse, channelsOf, listAllChannels } from '../features/channels/public.ts'
import type { Graph } from '../platform/upstream/graph.ts'
import { readNumber } from '../platform/upstream/numbers.ts'
import { CannotRun } from './cannot-run.ts'
import { type Check, fine, problem } from './check.ts'
import type { OpenedDatabase } from './open-database.ts'
import { openUpstream } from './open-upstream.ts'

/** Each costs a call upstream, which counts them. */
const channelsCheckedMax = 50

type Deps = { config: Config; clock: Clock; opened: OpenedDatabase }

/** Reads each number with its token. */
export async function checkChannels({ config, clock, opened }: Deps): Promise<Check[]> {
  const accountIds = [...new Set((await listAllChannels(opened.database)).map((each) => each.accountId))]
  const channels = [...(await channelsOf(opened.database, accountIds)).values()].flat()
  if (channels.length === 0) return [fine('channels', 'No number is connected yet.')]
  const graph = await openUpstream(config, clock).catch((error: unknown) => {
    if (error instanceof CannotRun) return null
    throw error
  })
  if (graph === null) return [fine('channels', 'Not checked: the sandbox network runs only beside a gateway.')]
  try {
    const secretKey = await opened.secretKey()
    const checks: Check[] = []
    for (const channel of channels.slice(0, channelsCheckedMax)) checks.push(await checkChannel(graph, secretKey, channel))
    return checks
  } finally {
    await graph.close()
  }
}

async function checkChannel(graph: Graph, secretKey: SecretKey, channel: ChannelInUse): Promise<Check> {
  const name = `channel ${channel.phone ?? channel.phoneNumberId}`
  const id = formatId('ch', channel.id)
  const setToken = `channel set-token ${id} --token T`
  if (channel.sealedToken === null) return fine(name, channel.disconnectedBecause ?? 'It is disconnected.')
  const token = opening(secretKey, channel.sealedToken)
  if (token === null)
    return problem(name, 'Its token was sealed with another SECRET_KEY.', `Bring that key back, or give the token again: ${setToken}`)
  const number = await readNumber(graph, { token, phoneNumberId: channel.phoneNumberId })
  if (!number.ok)
    return problem(name, `Upstream does not let us read it: ${number.refusal.message}`, `If the token is the reason: ${setToken}`)
  if (channel.status === 'connected') return fine(name, 'Its token works.')
  return problem(
    name,
    `It is disconnected: ${channel.disconnectedBecause ?? 'for no known reason'}`,
    `Its token works. Once the reason is gone: ${setToken}`,
  )
}

function opening(secretKey: SecretKey, sealed: NonNullable<ChannelInUse['sealedToken']>): string | null {
  try {
    return unseal(secretKey, sealed)
  } catch {
    return null
  }
}
