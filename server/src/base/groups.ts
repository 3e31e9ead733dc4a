/** Sets of names that grow together. */
export type Groups = {
  /** From now on both are in one group. */
  join(one: string, other: string): void
  /** The name that stands for the group: the same for two names that are in one group. A name that was never joined stands for itself. */
  of(name: string): string
}

export function createGroups(): Groups {
  const above = new Map<string, string>()
  const of = (name: string): string => {
    let top = name
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next
    // What was asked once is found in one step from now on, so that chains stay short.
    if (top !== name) above.set(name, top)
    return top
  }
  return {
    of,
    join(one, other) {
      const [top, below] = [of(one), of(other)]
      if (top !== below) above.set(below, top)
    },
  }
}
