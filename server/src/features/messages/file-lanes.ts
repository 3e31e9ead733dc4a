import type { Uuid } from '../../base/id.ts'
import { createRing } from '../../base/turns.ts'
import { faultWords, isOutage } from '../../platform/database/failure.ts'
import { type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { type FetchFileDeps, fetchFile } from './fetch-file.ts'
import { type DueFetch, fetchDelayMs } from './file-fetch.ts'
import { findDueFetches, postponeFetch } from './file-fetch-store.ts'
import type { FileObservation } from './observation.ts'

export type FilesDeps = Omit<FetchFileDeps, 'observe'> & {
  observe: (observation: FileObservation | LoopObservation | Parameters<FetchFileDeps['observe']>[0]) => void
  ownership: Pick<Ownership, 'owned'>
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
  vitals?: Vitals | undefined
}

export type FileLanes = {
  /** Something may be to be fetched. A hint: without it, it is found within seconds. */
  wake(): void
  /** Starts no fetch any more, and resolves when those under way have ended, or after 10 s. */
  stop(): Promise<void>
}

const atOnceMax = 16
/** So that one account's backlog does not delay another's. */
const ofAccountMax = 4
const idleMs = 3_000
const busyMs = 250
const stopMsMax = 10_000
/** After a fault of ours, such as a full disk: the row is still due, and is not tried again at once. */
const troubledMs = 5_000
/** After a fault with one file alone, once its ladder of tries is over. */
const faultDelayMs = 1_800_000
const triesNotedMax = 1_000

/** Fetches the files of the shards that this process owns. Nothing is remembered but what is under way: the rows say what is to be done. */
export function startFiles(deps: FilesDeps): FileLanes {
  const { database, clock, observe, ownership, wakeDeliveries } = deps
  const underWay = new Map<Uuid, { accountId: Uuid; ended: Promise<void> }>()
  /** Accounts in the order of their turns; the one that had the last comes last. */
  let order: readonly Uuid[] = []
  let fromShard = 0
  let troubledUntilMs = 0

  const rest = (error: unknown): void => {
    troubledUntilMs = clock.monotonicMs() + troubledMs
    observe({ kind: 'file.trouble', message: error instanceof Error ? error.message : String(error) })
  }

  /** What is away is away for all files; any other fault is of this one, which is tried again as after a failed try. */
  const fetchOne = async (fetch: DueFetch): Promise<void> => {
    try {
      wakeDeliveries(await fetchFile(deps, fetch))
    } catch (error) {
      if (isOutage(error)) return rest(error)
      observe({ kind: 'file.trouble', message: faultWords(error) })
      const tries = fetch.tries + 1
      const nextAt = new Date(clock.now().getTime() + (fetchDelayMs(tries) ?? faultDelayMs))
      await postponeFetch(database, fetch, Math.min(tries, triesNotedMax), nextAt).catch(rest)
    }
  }

  const launch = (fetch: DueFetch): void => {
    const ended = fetchOne(fetch).finally(() => {
      underWay.delete(fetch.messageId)
      loop.wake()
    })
    underWay.set(fetch.messageId, { accountId: fetch.accountId, ended })
  }

  const tick = async (): Promise<number> => {
    const shards = [...ownership.owned().keys()]
    if (shards.length === 0 || clock.monotonicMs() < troubledUntilMs) return idleMs
    const room = () => atOnceMax - underWay.size
    if (room() <= 0) return busyMs
    const { due, nextShard } = await findDueFetches(database, { shards, fromShard, now: clock.now(), most: 2 * ofAccountMax })
    fromShard = nextShard
    const counts = new Map<Uuid, number>()
    for (const { accountId } of underWay.values()) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
    const ring = createRing<Uuid, DueFetch>()
    const waiting = Map.groupBy(
      due.filter((each) => !underWay.has(each.messageId)),
      (each) => each.accountId,
    )
    order = [...order.filter((accountId) => waiting.has(accountId)), ...[...waiting.keys()].filter((each) => !order.includes(each))]
    for (const accountId of order) for (const fetch of waiting.get(accountId) ?? []) ring.add(accountId, fetch.messageId, fetch)
    ring.deal(room(), (fetch, accountId) => {
      const count = counts.get(accountId) ?? 0
      if (count >= ofAccountMax || underWay.has(fetch.messageId)) return false
      counts.set(accountId, count + 1)
      launch(fetch)
      order = [...order.filter((each) => each !== accountId), accountId]
      return true
    })
    return underWay.size > 0 || fromShard > 0 ? busyMs : idleMs
  }

  const loop = startLoop({ name: 'files', clock, observe, vitals: deps.vitals, spacingMs: 50, tick })
  return {
    wake: () => loop.wake(),
    async stop() {
      await loop.stop()
      // A fetch that is cut off is done again by the next owner.
      await Promise.race([
        Promise.all([...underWay.values()].map((each) => each.ended)),
        new Promise<void>((resolve) => clock.after(stopMsMax, resolve)),
      ])
    },
  }
}
