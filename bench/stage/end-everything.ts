import { removeDataDirs } from '../../server/test/support/processes/data-dir.ts'
import { endPrograms } from '../../server/test/support/processes/program.ts'

const endings = new Set<() => Promise<void>>()

/** Has this done at the end, also when a benchmark failed; answers a function that does it now instead. */
export function atTheEnd(end: () => Promise<void>): () => Promise<void> {
  const once = async () => {
    if (endings.delete(once)) await end()
  }
  endings.add(once)
  return once
}

/** Ends every program, stops every server, and removes every directory that a benchmark has made. */
export async function endEverything(): Promise<void> {
  for (const end of [...endings].reverse()) await end().catch((error: unknown) => console.error(String(error)))
  await endPrograms()
  await removeDataDirs()
}
