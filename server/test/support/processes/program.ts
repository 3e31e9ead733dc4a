import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { processState } from '../../../src/platform/database/bundled/process-state.ts'
import { until } from './until.ts'

/** The folder that a newcomer has cloned. */
export const projectRoot = fileURLToPath(new URL('../../../../', import.meta.url))

/** What Node is told to run one of our programs, named by its source, as the scripts of `package.json` do. */
export const runs = (source: string): readonly [string, string] => [join(projectRoot, 'tools/run.mjs'), source]

export type Ending = { code: number | null; signal: NodeJS.Signals | null }

export type Program = {
  pid: number
  stdout(): string
  stderr(): string
  /** Resolves to the first match in what the program prints on either output; throws when it ends or `msMax` is over before. */
  printed(pattern: RegExp, msMax: number): Promise<RegExpExecArray>
  ended: Promise<Ending>
  signal(name: NodeJS.Signals): void
  /** Signals and waits for the end, at most `msMax`. */
  end(name: NodeJS.Signals, msMax: number): Promise<Ending>
}

export type ProgramOptions = {
  command: string
  args: readonly string[]
  /** All of it: nothing of the environment of the tests reaches the program unasked. */
  env: Record<string, string>
  user?: { uid: number; gid: number } | undefined
  cwd?: string
}

const started = new Set<Program>()

/** Starts a program in a process group of its own, from the project's folder unless told otherwise. */
export async function startProgram({ command, args, env, user, cwd }: ProgramOptions): Promise<Program> {
  const child = spawn(command, args, { ...user, env, cwd: cwd ?? projectRoot, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child)
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }))
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  const program: Program = {
    pid,
    stdout: output.stdout,
    stderr: output.stderr,
    ended,
    signal,
    printed: (pattern, msMax) => output.wait(pattern, msMax),
    async end(name, msMax) {
      signal(name)
      return within(msMax, ended, `${args.join(' ')} has not ended after ${name}:\n${output.stdout()}${output.stderr()}`)
    },
  }
  started.add(program)
  void ended.then(() => started.delete(program))
  return program
}

/** Kills what is still running, each with its group, and waits until it is gone: for `afterAll`. */
export async function endPrograms(): Promise<void> {
  for (const program of started) {
    kill(-program.pid, 'SIGKILL')
    await program.ended
  }
}

/** Direct children of a process. */
export async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child)
}

/** Waits until none of these processes runs; a zombie runs no more. */
export async function areGone(pids: readonly number[], msMax: number): Promise<void> {
  const gone = async () => (await Promise.all(pids.map(processState))).every((state) => state !== 'alive')
  await until(`the processes ${pids.join(', ')} are gone`, gone, msMax)
}

/** Signals a process or, with a negative number, a group; one that is gone is no fault. */
export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}

function collect(child: ChildProcess) {
  const texts = { stdout: '', stderr: '' }
  const looking = new Set<() => void>()
  let over = false
  const look = () => {
    for (const each of looking) each()
  }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk
      look()
    })
  }
  child.once('close', () => {
    over = true
    look()
  })
  const wait = (pattern: RegExp, msMax: number) => {
    const found = new Promise<RegExpExecArray>((resolve, reject) => {
      const attempt = () => {
        const match = pattern.exec(texts.stdout) ?? pattern.exec(texts.stderr)
        if (match === null && !over) return
        looking.delete(attempt)
        if (match !== null) resolve(match)
        else reject(new Error(`The program ended without printing ${pattern}:\n${texts.stdout}${texts.stderr}`))
      }
      looking.add(attempt)
      attempt()
    })
    return within(msMax, found, `The program has not printed ${pattern}`).catch((error: unknown) => {
      throw new Error(`${String(error)}\nIt printed:\n${texts.stdout}${texts.stderr}`)
    })
  }
  return { wait, stdout: () => texts.stdout, stderr: () => texts.stderr }
}

async function within<Value>(msMax: number, promise: Promise<Value>, words: string): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${words} (within ${msMax} ms)`)), msMax)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
