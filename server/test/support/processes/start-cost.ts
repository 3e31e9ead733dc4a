import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot, startProgram } from './program.ts'

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100
const readyMsMax = 60_000

/** Seconds of a core that a process has used. Linux only. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // utime and stime are fields 14 and 15, counted after the name, which may hold blanks.
  const [user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / ticksPerSecond
}

/** What a program with Fastify and one route has used when it listens: what a start of ours is compared with. */
export async function emptyFastifyCpuSeconds(): Promise<number> {
  const args = [join(projectRoot, 'bench/programs/empty-fastify.ts')]
  const program = await startProgram({ command: process.execPath, args, env: { PATH: process.env.PATH ?? '' } })
  await program.printed(/"url"/, readyMsMax)
  const seconds = await cpuSeconds(program.pid)
  await program.end('SIGTERM', 10_000)
  return seconds
}

/** The longest stall of a gateway's event loop since its start, by its own gauge. */
export async function longestStallMs(url: string): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text()
  return Number(/^pombo_event_loop_longest_stall_seconds ([\d.]+)$/m.exec(page)?.[1] ?? Number.NaN) * 1_000
}
