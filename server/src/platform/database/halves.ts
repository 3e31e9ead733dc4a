import { isDataFailure } from './failure.ts'

/** What to do with items that were worked on, and with those that were not; a single item where its data were refused. */
type Ends<Item, Output> = {
  done: (items: readonly Item[], output: Output) => void
  failed: (items: readonly Item[], error: unknown) => void
}

/**
 * Works on all items at once. Where the data are refused (class 22 or 23), on halves, until those at fault stand alone, so that one item stops
 * no other; any other error fails all that were worked on together. Throws only what `done` or `failed` throws.
 */
export async function inHalves<Item, Output>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<Output>,
  ends: Ends<Item, Output>,
): Promise<void> {
  if (items.length === 0) return
  const ended = await work(items).then(
    (output) => ({ ok: true as const, output }),
    (error: unknown) => ({ ok: false as const, error }),
  )
  if (ended.ok) return ends.done(items, ended.output)
  if (items.length === 1 || !isDataFailure(ended.error)) return ends.failed(items, ended.error)
  const half = Math.ceil(items.length / 2)
  await inHalves(items.slice(0, half), work, ends)
  await inHalves(items.slice(half), work, ends)
}
