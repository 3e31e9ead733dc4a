/** A queue whose head is taken without moving the rest. */
export type Line<Item> = { push(item: Item): void; shift(): Item | null; shiftMany(max: number): Item[]; size(): number }

/** Taken items are dropped from memory in larger pieces, so taking costs the same however long the line is. */
export function createLine<Item>(): Line<Item> {
  let items: Item[] = []
  let head = 0
  const trim = () => {
    if (head < 1024 && head < items.length) return
    items = items.slice(head)
    head = 0
  }
  const shiftMany = (max: number) => {
    const taken = items.slice(head, head + max)
    head += taken.length
    trim()
    return taken
  }
  return {
    push: (item) => {
      items.push(item)
    },
    shift: () => shiftMany(1)[0] ?? null,
    shiftMany,
    size: () => items.length - head,
  }
}
