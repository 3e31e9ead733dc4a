import type { Clock } from '../base/clock.ts'
import { formatId } from '../base/id.ts'
import { type SecretKey, unseal } from '../base/seal.ts'
import type { Config } from '../config.ts'
import { type Channel, type ChannelInUse, channelsOf, getsNotices, listAllChannels } from '../features/channels/public.ts'
import type { Graph } from '../platform/upstream/graph.ts'
import { readNumber, readSubscribedApps } from '../platform/upstream/numbers.ts'
import { WrongSecretKey } from '../secret-key-check.ts'
import { CannotRun } from './cannot-run.ts'
import { type Check, fine, problem } from './check.ts'
import { moment } from './layout.ts'
import type { OpenedDatabase } from './open-database.ts'
import { openUpstream } from './open-upstream.ts'

/** Each costs a call upstream, which counts them. */
const channelsCheckedMax = 50

type Deps = { config: Config; clock: Clock; opened: OpenedDatabase }

/** Reads each number with its token, and whether its notices come. */
export async function checkChannels({ config, clock, opened }: Deps): Promise<Check[]> {
  const all = new Map((await listAllChannels(opened.database)).map((each) => [each.id, each]))
  const accountIds = [...new Set([...all.values()].map((each) => each.accountId))]
  const channels = [...(await channelsOf(opened.database, accountIds)).values()].flat()
  if (channels.length === 0) return [fine('channels', 'No number is connected yet.')]
  const graph = await openUpstream(config, clock).catch((error: unknown) => {
    if (error instanceof CannotRun) return null
    throw error
  })
  if (graph === null) return [fine('channels', 'Not checked: the sandbox network runs only beside a gateway.')]
  try {
    const secretKey = await opened.secretKey().catch((error: unknown) => {
      if (error instanceof WrongSecretKey) return error
      throw error
    })
    if (secretKey instanceof WrongSecretKey)
      return [problem('secret key', secretKey.message, 'Neither the gateway nor this tool works with it.')]
    const checks: Check[] = []
    const looking = { graph, secretKey, appId: config.metaAppId }
    for (const channel of channels.slice(0, channelsCheckedMax))
      checks.push(await checkChannel(looking, channel, all.get(channel.id)?.lastNoticeAt ?? null))
    return checks
  } finally {
    await graph.close()
  }
}

type Looking = { graph: Graph; secretKey: SecretKey; appId: string | null }

async function checkChannel(
  { graph, secretKey, appId }: Looking,
  channel: ChannelInUse,
  lastNoticeAt: Channel['lastNoticeAt'],
): Promise<Check> {
  const name = `channel ${channel.phone ?? channel.phoneNumberId}`
  const id = formatId('ch', channel.id)
  const setToken = `channel set-token ${id}`
  if (channel.sealedToken === null) return fine(name, channel.disconnectedBecause ?? 'It is disconnected.')
  const token = opening(secretKey, channel.sealedToken)
  if (token === null)
    return problem(name, 'Its token was sealed with another SECRET_KEY.', `Bring that key back, or give the token again: ${setToken}`)
  const number = await readNumber(graph, { token, phoneNumberId: channel.phoneNumberId })
  if (!number.ok)
    return problem(name, `Upstream does not let us read it: ${number.refusal.message}`, `If the token is the reason: ${setToken}`)
  if (channel.status !== 'connected')
    return problem(
      name,
      `It is disconnected: ${channel.disconnectedBecause ?? 'for no known reason'}`,
      `Its token works. Once the reason is gone: ${setToken}`,
    )
  const apps = await readSubscribedApps(graph, { token, wabaId: channel.wabaId })
  if (apps.ok && !getsNotices(apps.value, appId))
    return problem(
      name,
      `Its token works, but upstream does not send the notices of the WABA ${channel.wabaId} to our app.`,
      'Ask for them again, by connecting it again: channel connect.',
    )
  return fine(name, `Its token works; the last notice came: ${moment(lastNoticeAt, 'never')}.`)
}

function opening(secretKey: SecretKey, sealed: NonNullable<ChannelInUse['sealedToken']>): string | null {
  try {
    return unseal(secretKey, sealed)
  } catch {
    return null
  }
}
