/** What became of several items: what was made of each, and those of which nothing could be made. */
type Apart<Item, Made> = { made: Made[]; failed: { item: Item; error: unknown }[] }

/** Makes something of each item by itself, in order: one that throws fails alone and stops none of the others. */
export function eachByItself<Item, Made>(items: readonly Item[], make: (item: Item, i: number) => Made): Apart<Item, Made> {
  const apart: Apart<Item, Made> = { made: [], failed: [] }
  items.forEach((item, i) => {
    try {
      apart.made.push(make(item, i))
    } catch (error) {
      apart.failed.push({ item, error })
    }
  })
  return apart
}
