import type { Run, Violation } from '../histories.ts'

const rssBytesMax = 512 * 1024 * 1024
/** 256 calls upstream, 256 to webhooks, 12 to the database, callers, and what Node holds. */
const openFilesMax = 1_000

/** I18. A gateway's memory and open files stay within bounds, whatever is away. */
export function bounded(run: Run): Violation[] {
  const lives = Map.groupBy(run.samples, (each) => each.pid)
  return [...lives.values()].flatMap((samples): Violation[] => {
    const most = (of: (sample: Run['samples'][number]) => number) => Math.max(...samples.map(of))
    const [rssBytes, openFiles] = [most((each) => each.rssBytes), most((each) => each.openFiles)]
    if (rssBytes <= rssBytesMax && openFiles <= openFilesMax) return []
    return [{ invariant: 'I18', what: `A gateway held ${Math.round(rssBytes / 1e6)} MB and ${openFiles} files.`, evidence: samples.at(-1) }]
  })
}
