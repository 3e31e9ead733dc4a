import { type RawBuilder, sql } from 'kysely'
import type { Queries } from './database.ts'

/** The queries of one call. `isOver`: whether nothing more is to be looked for, because its time is over or nobody waits for it any more. */
export type Lookup = Queries & { isOver(): boolean }

/** What fits among the next rows of a list; `next`: the place from which to go on, null where nothing is left or the page is full. */
export type Step<Row, Place> = { found: Row[]; next: Place | null }

/** `stoppedAt`: how far was looked when the call was over, with a page that is not full; null: the page is full, or nothing is left. */
export type SteppedPage<Row, Place> = { rows: Row[]; stoppedAt: Place | null }

/** The call was over before anything that fits was found: whether there is any is not known. */
export class TooMuchToRead extends Error {
  constructor() {
    super('too much was to be looked through')
  }
}

/** So many of the newest are looked at first; mostly the page is full by then. */
const firstRows = 500
/** So many are looked at in each statement that follows. */
const stepRows = 5_000

/**
 * A page of a list whose filter fits few rows: looked for in steps, each a statement of a bounded number of rows, until the page is full,
 * nothing is left or the call is over. So the page is exact up to where it stopped, and between two steps others have their turn.
 */
export async function pageInSteps<Row, Place>(
  lookup: Pick<Lookup, 'isOver'>,
  { from, limit }: { from: Place | null; limit: number },
  look: (step: { from: Place | null; limit: number; rows: number }) => Promise<Step<Row, Place>>,
): Promise<SteppedPage<Row, Place>> {
  const page: Row[] = []
  for (let next = from, rows = firstRows; ; rows = stepRows) {
    const step = await look({ from: next, limit: limit - page.length, rows })
    page.push(...step.found)
    if (step.next === null || page.length >= limit) return { rows: page, stoppedAt: null }
    if (lookup.isOver()) return { rows: page, stoppedAt: step.next }
    next = step.next
  }
}

/** The page where it shows anything, or is known to be empty. Throws `TooMuchToRead` otherwise: the next page begins after something shown. */
export function shownOrRefused<Row, Place>(page: SteppedPage<Row, Place>): SteppedPage<Row, Place> {
  if (page.rows.length === 0 && page.stoppedAt !== null) throw new TooMuchToRead()
  return page
}

/** A row that was looked at: it fits, or it is the last of the step, or both. */
export type LookedAt = { fits: boolean | null; is_last: boolean }

/**
 * For a statement whose window numbers its rows as `n`: it also returns the last of the `rows` of the window, fitting or not, so that no second
 * statement reads them once more to find the place where the next step begins.
 */
export function lookingAt(fits: RawBuilder<boolean>, rows: number) {
  const isLast = sql<boolean>`n = ${sql.lit(rows)}`
  return { columns: [fits.as('fits'), isLast.as('is_last')] as const, where: sql<boolean>`(${fits} or ${isLast})` }
}

/** What a step found, at most `limit`, and where the next one begins. */
export function stepOf<Row extends LookedAt, Place>(rows: readonly Row[], limit: number, placeOf: (row: Row) => Place): Step<Row, Place> {
  const found = rows.filter((row) => row.fits)
  const last = rows.at(-1)
  return { found, next: found.length < limit && last?.is_last ? placeOf(last) : null }
}
