/** What fits among the next rows of a list; `next`: the place from which to go on, null where nothing is left or the page is full. */
export type Step<Row, Place> = { found: Row[]; next: Place | null }

/** So many of the newest are looked at first; mostly the page is full by then. */
const firstRows = 500
/** So many are looked at in each statement that follows. */
const stepRows = 5_000

/**
 * A page of a list whose filter fits few rows: looked for in steps, each a statement of a bounded number of rows, until the page is full or
 * nothing is left. So the page is exact, and between two steps others have their turn.
 */
export async function pageInSteps<Row, Place>(
  from: Place | null,
  limit: number,
  look: (step: { from: Place | null; limit: number; rows: number }) => Promise<Step<Row, Place>>,
): Promise<Row[]> {
  const page: Row[] = []
  for (let next = from, rows = firstRows; ; rows = stepRows) {
    const step = await look({ from: next, limit: limit - page.length, rows })
    page.push(...step.found)
    if (step.next === null || page.length >= limit) return page
    next = step.next
  }
}
