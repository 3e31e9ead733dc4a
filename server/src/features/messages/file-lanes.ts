import type { Uuid } from '../../base/id.ts'
import { type LoopObservation, startLoop } from '../../platform/lanes/loop.ts'
import type { Ownership } from '../../platform/lanes/ownership.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { DeliveryHint } from '../webhooks/public.ts'
import { type FetchFileDeps, fetchFile } from './fetch-file.ts'
import type { DueFetch } from './file-fetch.ts'
import { findDueFetches } from './file-fetch-store.ts'
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

/** Fetches the files of the shards that this process owns. Nothing is remembered but what is under way: the rows say what is to be done. */
export function startFiles(deps: FilesDeps): FileLanes {
  const { database, clock, observe, ownership, wakeDeliveries } = deps
  const underWay = new Map<Uuid, { accountId: Uuid; ended: Promise<void> }>()
  let troubledUntilMs = 0

  const launch = (fetch: DueFetch): void => {
    const ended = fetchFile(deps, fetch)
      .then(wakeDeliveries, (error: unknown) => {
        troubledUntilMs = clock.monotonicMs() + troubledMs
        observe({ kind: 'file.trouble', message: error instanceof Error ? error.message : String(error) })
      })
      .finally(() => {
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
    const due = await findDueFetches(database, shards, clock.now(), 2 * ofAccountMax)
    const counts = new Map<Uuid, number>()
    for (const { accountId } of underWay.values()) counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
    // One of each account in turn.
    for (const fetch of inTurns(due.filter((each) => !underWay.has(each.messageId)))) {
      const count = counts.get(fetch.accountId) ?? 0
      if (room() <= 0 || count >= ofAccountMax) continue
      counts.set(fetch.accountId, count + 1)
      launch(fetch)
    }
    return underWay.size > 0 ? busyMs : idleMs
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

function inTurns(due: readonly DueFetch[]): DueFetch[] {
  const queues = [...Map.groupBy(due, (each) => each.accountId).values()]
  const longest = Math.max(0, ...queues.map((each) => each.length))
  return Array.from({ length: longest }, (_, i) => queues.flatMap((each) => each[i] ?? [])).flat()
}
