/** One page of a list, as the contract answers it. */
export type Page<Item> = { object: 'list'; data: Item[]; has_more: boolean }

type ItemOf<Fetched> = Fetched extends Page<infer Item> ? Item : never

/** A list that is read while it is walked: `for await (const item of list)` fetches the next page when the one before is used up. */
export type Listing<Fetched extends Page<unknown>> = AsyncIterable<ItemOf<Fetched>> & {
  /** The first page only, in one call. */
  page(): Promise<Fetched>
  /** Page by page. */
  pages(): AsyncIterable<Fetched>
}

/**
 * `fetchPage` gets null for the first page, later what `nextCursor` says of the page before. Every walk begins anew, and ends where there
 * is no more, or where a page leads nowhere new.
 */
export function listing<Fetched extends Page<unknown>>(
  fetchPage: (cursor: string | null) => Promise<Fetched>,
  nextCursor: (page: Fetched) => string | null | undefined,
): Listing<Fetched> {
  async function* pages(): AsyncGenerator<Fetched, void> {
    let cursor: string | null = null
    for (;;) {
      const page: Fetched = await fetchPage(cursor)
      yield page
      const next = page.has_more ? nextCursor(page) : null
      if (next === null || next === undefined || next === cursor) return
      cursor = next
    }
  }
  async function* items(): AsyncGenerator<ItemOf<Fetched>, void> {
    // The compiler does not see that the items of a page are its items.
    for await (const page of pages()) yield* page.data as ItemOf<Fetched>[]
  }
  return { page: () => fetchPage(null), pages, [Symbol.asyncIterator]: items }
}
