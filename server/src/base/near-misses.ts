/** Names longer than this are nobody's slip of a known one. */
const nameCharsMax = 40
/** As many unknown names are looked at; each costs a comparison with every known one. */
const namesMax = 50

/** One name that is not known, and the known one that it nearly is. */
export type NearMiss = { name: string; known: string }

/** The names that are not known and are one or two slips away from one that is: letters left out, doubled, swapped, or in another case. */
export function nearMisses(names: readonly string[], known: readonly string[]): NearMiss[] {
  const taken = new Set(known)
  const strange = names.filter((name) => !taken.has(name) && name.length <= nameCharsMax && /^[\w-]+$/.test(name)).slice(0, namesMax)
  return strange.flatMap((name) => {
    const near = known.filter((each) => isNear(name, each)).toSorted((a, b) => slips(plain(name), plain(a)) - slips(plain(name), plain(b)))
    return near[0] === undefined ? [] : [{ name, known: near[0] }]
  })
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '')

/** Short names are near to too many: of `to` only another case is. */
function isNear(name: string, known: string): boolean {
  const [a, b] = [plain(name), plain(known)]
  const slipsMax = b.length >= 8 ? 2 : b.length >= 4 ? 1 : 0
  // Each letter more or less is a slip: most names need no closer look.
  return Math.abs(a.length - b.length) <= slipsMax && slips(a, b) <= slipsMax
}

/** How many letters must be put in, taken out, replaced, or swapped with their neighbour to come from one word to the other. */
function slips(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const costs = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1)]
      if (isSwapped) costs.push(at(before, j - 2) + 1)
      next.push(Math.min(...costs))
    }
    before = row
    row = next
  }
  return at(row, to.length)
}

const at = (row: readonly number[], i: number): number => row[i] ?? Number.POSITIVE_INFINITY
