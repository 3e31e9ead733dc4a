/** Sets of names that grow together. */
export type Groups = {
  /** From now on both are in one group. */
  join(one: string, other: string): void
  /** The name that stands for the group: the same for two names that are in one group. A name that was never joined stands for itself. */
  of(name: string): string
}

/** Any number of joins and questions, in whatever order, cost little more than as many look-ups. */
export function createGroups(): Groups {
  const above = new Map<string, string>()
  const sizes = new Map<string, number>()
  const of = (name: string): string => {
    let top = name
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next
    // Everyone on the way is found in one step from now on.
    for (let each = name; each !== top; ) {
      const next = above.get(each) ?? top
      above.set(each, top)
      each = next
    }
    return top
  }
  const sizeOf = (top: string) => sizes.get(top) ?? 1
  return {
    of,
    join(one, other) {
      const [a, b] = [of(one), of(other)]
      if (a === b) return
      // The smaller goes below the larger, so that no chain grows long.
      const [top, below] = sizeOf(a) < sizeOf(b) ? [b, a] : [a, b]
      above.set(below, top)
      sizes.set(top, sizeOf(a) + sizeOf(b))
    },
  }
}
