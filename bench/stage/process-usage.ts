import { readFile } from 'node:fs/promises'
import { present } from '../../server/src/base/assert.ts'
import { postmasterOf } from '../../server/test/support/processes/data-dir.ts'
import { childrenOf } from '../../server/test/support/processes/program.ts'

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100

/** Resident memory of a process in MB. Linux only, as is everything here. */
export async function residentMb(pid: number): Promise<number> {
  return kilobytesOf(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS') / 1_024
}

/** The most that it was, of all looks within so many milliseconds. */
export async function residentMbMost(pid: number, forMs: number): Promise<number> {
  let most = 0
  for (const startedMs = performance.now(); performance.now() - startedMs < forMs; ) {
    most = Math.max(most, await residentMb(pid))
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  return most
}

/** Memory of the gateway's PostgreSQL in MB, what its processes share counted once. */
export async function postgresMb(dataDir: string): Promise<number> {
  const parts = await Promise.all(
    (await postgresPids(dataDir)).map((pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => 'Pss: 0 kB')),
  )
  return parts.reduce((sum, part) => sum + kilobytesOf(part, 'Pss'), 0) / 1_024
}

/** Seconds of a core that the gateway's PostgreSQL has used, with its children that have ended. */
export async function postgresCpuSeconds(dataDir: string): Promise<number> {
  const [postmaster = 0, ...children] = await postgresPids(dataDir)
  const ticks = await Promise.all(children.map(async (pid) => (await fieldsOf(pid).catch(() => [])).slice(0, 2)))
  return [...(await fieldsOf(postmaster)), ...ticks.flat()].reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

async function postgresPids(dataDir: string): Promise<number[]> {
  const postmaster = present(await postmasterOf(dataDir), 'a server runs there')
  return [postmaster, ...(await childrenOf(postmaster))]
}

/** utime, stime, cutime, cstime: fields 14 to 17, counted after the name, which may hold blanks. */
async function fieldsOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
}

function kilobytesOf(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
}
