import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { Database } from '../database/database.ts'
import { beginJudgement, type DatabaseHistory, endJudgement, raiseHistory, readHistory } from './history-store.ts'

/** What a process remembers of the database outside of it. */
export type HistoryMark = { installation: Uuid; value: number }

/** Where a mark outlives the database, such as a file of this machine. */
export type MarkKeeper = { read(): Promise<HistoryMark | null>; write(mark: HistoryMark): Promise<void> }

/** Why the queue may hold sends that have left already. `asked`: by the operator, or by a process that did not come to its end. */
export type RewindReason = 'rewound' | 'failover' | 'other_cluster' | 'asked'

export type HistoryObservation =
  | { kind: 'database.history_judged'; because: RewindReason; held: number }
  | { kind: 'database.mark_not_kept'; message: string }

export type HistoryGuard = {
  /** Throws until the queue of a database that was restored, or failed over, has been judged. Called at every beat, before anything may leave. */
  check(): Promise<void>
}

/** Where in the queue, by the keys of its sends. */
type SendPlace = { accountId: Uuid; messageId: Uuid }
type Bite = { acceptedUntil: Date; after: SendPlace | null; most: number }

type Deps = {
  database: Database
  clock: Clock
  observe: (observation: HistoryObservation) => void
  marks: MarkKeeper
  /**
   * Takes up to `most` sends after the key `after` that were accepted until then out of what may still leave. Returns how many it took, and
   * the key to go on after; null: that was all. What it cannot take stops none of the others.
   */
  holdQueued: (bite: Bite) => Promise<{ held: number; next: SendPlace | null }>
}

const heldPerTransaction = 500

/**
 * The fence that outlives the database. A restored backup, or a standby that lacked the last commits, has sends in its queue that left
 * before: they must not leave again (rule: queue 7). `lossless`: a failover of this database loses nothing that it acknowledged.
 */
export function createHistoryGuard(deps: Deps, options: { lossless: boolean }): HistoryGuard {
  const { database, clock, observe, marks } = deps
  let mark: HistoryMark | null | undefined

  const judge = async (history: DatabaseHistory, because: RewindReason): Promise<void> => {
    const acceptedUntil = await beginJudgement(database, clock.now(), history.judgements)
    if (acceptedUntil === null) throw new Error('another process judges the history of the database')
    let held = 0
    let after: SendPlace | null = null
    // Bounded by what was accepted until then: nothing joins it, and each bite begins after the one before.
    do {
      const bite = await deps.holdQueued({ acceptedUntil, after, most: heldPerTransaction })
      held += bite.held
      after = bite.next
    } while (after !== null)
    await endJudgement(database, history.judgements, ofThis(mark, history)?.value ?? 0)
    observe({ kind: 'database.history_judged', because, held })
  }

  return {
    async check() {
      mark ??= await marks.read()
      let history = await readHistory(database)
      const because = reasonToJudge(history, ofThis(mark, history), options)
      if (because !== null) {
        await judge(history, because)
        history = await readHistory(database)
      }
      const value = await raiseHistory(database, history.judgements)
      if (value === null) throw new Error('another process judges the history of the database')
      mark = { installation: history.installation, value }
      // Without it the next restore may go unseen; that is no reason to stop the sends of now.
      await marks.write(mark).catch((error: unknown) => observe({ kind: 'database.mark_not_kept', message: codeOf(error) }))
    },
  }
}

/** A mark of another database says nothing of this one. */
const ofThis = (mark: HistoryMark | null | undefined, { installation }: DatabaseHistory): HistoryMark | null =>
  mark?.installation === installation ? mark : null

/** Why the queue must be judged before anything leaves; null when the database is the one that it was. */
export function reasonToJudge(
  history: DatabaseHistory,
  mark: HistoryMark | null,
  { lossless }: { lossless: boolean },
): RewindReason | null {
  if (history.judgingSince !== null) return 'asked'
  if (mark !== null && mark.value > history.value) return 'rewound'
  // What was moved by a dump, while nothing ran, still has the value that we remember.
  if (history.cluster !== history.clusterNow) return mark === null ? 'other_cluster' : null
  return history.timeline !== history.timelineNow && !lossless ? 'failover' : null
}

/** The words of a file's error hold its path. */
const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : 'unknown')
