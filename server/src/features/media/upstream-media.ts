import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { openedOrNull, type Unseal } from '../../base/seal.ts'
import { limits } from '../../limits.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { createPlaces } from '../../platform/lanes/places.ts'
import { type Storage, storageKey } from '../../platform/storage/storage.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { type UploadOutcome, uploadMedia } from '../../platform/upstream/media.ts'
import type { ChannelInUse } from '../channels/public.ts'
import { type Media, plainName } from './media.ts'
import type { MediaObservation } from './observation.ts'
import { findUpstreamIds, saveUpstreamId, type UpstreamPlace } from './store.ts'

type Deps = {
  database: Database
  clock: Clock
  graph: Graph
  storage: Storage
  unseal: Unseal
  observe: (observation: MediaObservation) => void
}

/** A file of ours, to be sent from a number of the same account. */
export type WantedUpstream = { channel: Pick<ChannelInUse, 'id' | 'accountId' | 'phoneNumberId' | 'sealedToken'>; media: Media }

/** Upstream's id of the file, or why there is none: `refused` for good, `unavailable` for now. */
export type UpstreamMediaId = UploadOutcome

export type UpstreamMedia = {
  /**
   * What upstream calls each file on each number, in the order asked. A file is given to a number once and its id is used for 29 days; callers
   * who want the same at the same time wait for one upload. At most 3 minutes for each upload, of which 8 run at once. Throws only when the
   * database is away. Two processes may both upload: either id is good.
   */
  ids(wanted: readonly WantedUpstream[]): Promise<UpstreamMediaId[]>
}

/** Upstream's ids of files that it will keep for long enough, in the order asked; null: it must be given the file first. */
export async function knownUpstreamIds(queries: Queries, places: readonly UpstreamPlace[], now: Date): Promise<(string | null)[]> {
  if (places.length === 0) return []
  return findUpstreamIds(queries, places, new Date(now.getTime() - limits.upstreamMediaMs))
}

/** Uploads use the connections that sends use, and last longer. */
const uploadsMax = 8

// rule: media 6
export function createUpstreamMedia(deps: Deps): UpstreamMedia {
  const underWay = new Map<string, Promise<UpstreamMediaId>>()
  const inTurn = createPlaces(uploadsMax)

  const uploadOnce = (each: WantedUpstream): Promise<UpstreamMediaId> => {
    const key = `${each.channel.id}/${each.media.id}`
    const running = underWay.get(key)
    if (running !== undefined) return running
    const upload = inTurn(each.media.accountId, () => uploadAndSave(deps, each)).finally(() => underWay.delete(key))
    underWay.set(key, upload)
    return upload
  }

  return {
    async ids(wanted) {
      if (wanted.length === 0) return []
      const places = wanted.map(placeOf)
      const known = await knownUpstreamIds(deps.database, places, deps.clock.now())
      return Promise.all(
        wanted.map((each, i) => {
          const upstreamId = known[i] ?? null
          return upstreamId === null ? uploadOnce(each) : { kind: 'uploaded' as const, upstreamId }
        }),
      )
    },
  }
}

const placeOf = ({ channel, media }: WantedUpstream): { accountId: Uuid; mediaId: Uuid; channelId: Uuid } => ({
  accountId: media.accountId,
  mediaId: media.id,
  channelId: channel.id,
})

async function uploadAndSave(deps: Deps, wanted: WantedUpstream): Promise<UpstreamMediaId> {
  const { clock, database, observe } = deps
  // Another caller, who looked before us, may have ended in between.
  const [known = null] = await knownUpstreamIds(database, [placeOf(wanted)], clock.now())
  if (known !== null) return { kind: 'uploaded', upstreamId: known }
  const startedMs = clock.monotonicMs()
  // Upstream's 30 days begin before its answer.
  const startedAt = clock.now()
  const outcome = await upload(deps, wanted)
  const code = outcome.kind === 'uploaded' ? null : outcome.code
  const durationMs = Math.round(clock.monotonicMs() - startedMs)
  observe({ kind: 'media.given_upstream', mediaId: wanted.media.id, channelId: wanted.channel.id, outcome: outcome.kind, code, durationMs })
  if (outcome.kind === 'uploaded') await saveUpstreamId(database, placeOf(wanted), outcome.upstreamId, startedAt)
  return outcome
}

async function upload(deps: Deps, { channel, media }: WantedUpstream): Promise<UpstreamMediaId> {
  const { clock, graph, storage, observe } = deps
  const { phoneNumberId, sealedToken } = channel
  const token = openedOrNull(deps.unseal, sealedToken)
  if (token === null) return unavailable('channel', 'The number has no token that can be used.')
  try {
    const bytes = await storage.read(storageKey(media.accountId, media.id))
    const { mimeType, sizeBytes } = media
    return await uploadMedia({ graph, clock }, { token, phoneNumberId, mimeType, fileName: plainName(mimeType), sizeBytes, bytes })
  } catch (error) {
    observe({ kind: 'media.unreadable', mediaId: media.id, message: error instanceof Error ? error.message : 'unknown' })
    return unavailable('lane', 'The file could not be read.')
  }
}

const unavailable = (brake: 'channel' | 'lane', message: string) => ({ kind: 'unavailable' as const, brake, code: null, message })
