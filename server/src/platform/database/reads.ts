import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type Connection, type DatabaseObservation, openDatabase } from './database.ts'
import { createShares } from './shares.ts'
import type { Lookup } from './steps.ts'

/** What people and customers look at, apart from the work. It has connections of its own, so that no list ever stands before a send. */
export type Reads = {
  /**
   * The queries of one call of one account. Accounts take turns; throws `SharesFull` where too many of this one wait. What it looks for in
   * steps is over after 3 s of them all together, and once `isGone` says that nobody waits for it.
   */
  of(accountId: Uuid, isGone?: () => boolean): Lookup
  close(): Promise<void>
}

/** The same dependencies for what only reads, of one account. */
export function readingAs<Deps extends { reads: Reads }>(
  deps: Deps,
  accountId: Uuid,
  isGone?: () => boolean,
): Omit<Deps, 'database'> & { database: Lookup } {
  return { ...deps, database: deps.reads.of(accountId, isGone) }
}

export type ReadsOptions = { connection: Connection; clock: Clock; observe: (observation: DatabaseObservation) => void }

/** The server's connections for all reads of this process, and how many of them one account takes at most. */
const connectionsMax = 4
const perAccountMax = 2
/** More than the calls that an account may make in a minute: they may all come at once. */
const waitingPerAccountMax = 2_000
const waitMsMax = 8_000
/** A read that takes longer is not worth its answer, be it one statement or the steps of a list. */
const queryMsMax = 3_000

/** Opens the connections of the reads. */
export function openReads({ connection, clock, observe }: ReadsOptions): Reads {
  const database = openDatabase({ connection, clock, observe, name: 'pombo reads', connectionsMax, queryMsMax })
  const share = createShares({
    clock,
    atOnceMax: connectionsMax,
    perKeyMax: perAccountMax,
    waitingPerKeyMax: waitingPerAccountMax,
    waitMsMax,
  })
  return {
    of(accountId, isGone = () => false) {
      const beganMs = clock.monotonicMs()
      return {
        run: (statement, values) => share(accountId, () => database.run(statement, values)),
        all: (query) => share(accountId, () => database.all(query)),
        isOver: () => isGone() || clock.monotonicMs() - beganMs >= queryMsMax,
      }
    },
    close: () => database.close(),
  }
}
