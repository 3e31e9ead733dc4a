import { type TSchema, Type } from 'typebox'
import type { IdPrefix } from '../../base/id.ts'
import { limits } from '../../limits.ts'

/** The query field `limit`: how many items a page has. */
export const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: limits.listLimitMax, default: limits.listLimitDefault, description: 'How many items a page has.' }),
)

/** The query field `starting_after`: the id of the last item of the page before, whether or not it still exists. */
export function startingAfter(prefix: IdPrefix) {
  return Type.Optional(
    Type.String({
      pattern: `^${prefix}_[0-9a-f]{32}$`,
      description: 'The id of the last item of the page before.',
      'x-expected': `an id of this list: ${prefix}_ and 32 hex characters`,
    }),
  )
}

/** A list of the contract. */
export function listOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    object: Type.Literal('list', { description: 'What this is.' }),
    data: Type.Array(item, { description: 'The items of this page, in the order of the list.' }),
    has_more: Type.Boolean({ description: 'Whether another page follows.', examples: [false] }),
  })
}

export type Page<Item> = { object: 'list'; data: Item[]; has_more: boolean }

/** One page: `fetch` is asked for one row more than the page has, which tells whether another page follows without counting. */
export async function fetchPage<Row, Item>(
  limit: number | undefined,
  fetch: (count: number) => Promise<readonly Row[]>,
  show: (row: Row) => Item,
): Promise<Page<Item>> {
  const count = limit ?? limits.listLimitDefault
  const rows = await fetch(count + 1)
  return { object: 'list', data: rows.slice(0, count).map(show), has_more: rows.length > count }
}
