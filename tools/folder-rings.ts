export type Import = { from: string; to: string }

/**
 * Rings between folders, each as its path of folders: `a → b → a`. A parent and a folder below it are two folders.
 * dependency-cruiser knows folder rings too, but cannot leave the files at the root of the source out of them, and those may import everything.
 */
export function folderRings(imports: readonly Import[]): string[] {
  const next = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [folder, target] = [folderOf(from), folderOf(to)]
    if (folder !== target) next.set(folder, (next.get(folder) ?? new Set()).add(target))
  }
  const rings = new Map<string, string>()
  for (const start of next.keys()) {
    const ring = pathBack(next, start)
    if (ring !== null) rings.set([...ring].sort().join(), [...ring, start].join(' → '))
  }
  return [...rings.values()]
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** The shortest way from a folder back to itself, or null. */
function pathBack(next: ReadonlyMap<string, ReadonlySet<string>>, start: string): string[] | null {
  const seen = new Set<string>()
  let paths = [[start]]
  while (paths.length > 0) {
    const longer: string[][] = []
    for (const path of paths) {
      for (const folder of next.get(path.at(-1) ?? '') ?? []) {
        if (folder === start) return path
        if (seen.has(folder)) continue
        seen.add(folder)
        longer.push([...path, folder])
      }
    }
    paths = longer
  }
  return null
}
