import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, startProgram } from '../../server/test/support/processes/program.ts'

const programs = join(import.meta.dirname, '..', 'programs')
const readyMsMax = 30_000

/** Runs one of `programs/` in a process of its own with these orders, and answers the one object that it printed. */
export async function runProgram<Answer>(name: string, orders: object): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'pombo-bench-'))
  try {
    const file = join(folder, 'orders.json')
    await writeFile(file, JSON.stringify(orders))
    const program = await start(name, [file])
    const { code } = await program.ended
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${program.stderr()}${program.stdout()}`)
    return JSON.parse(program.stdout()) as Answer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts one of `programs/` that serves until it is ended, and waits for the address that it prints. */
export async function startServing(name: string): Promise<{ url: string; end(): Promise<void> }> {
  const program = await start(name, [])
  const [, url = ''] = await program.printed(/"url":"([^"]+)"/, readyMsMax)
  return { url, end: async () => void (await program.end('SIGTERM', 10_000)) }
}

/** In a program: what it was asked to do. */
export async function readOrders<Orders>(): Promise<Orders> {
  return JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Orders
}

function start(name: string, args: readonly string[]): Promise<Program> {
  return startProgram({ command: process.execPath, args: [join(programs, name), ...args], env: { PATH: process.env.PATH ?? '' } })
}
