import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/base/clock.ts'
import { runTool } from '../../src/cli/run-tool.ts'
import type { SecretInput } from '../../src/cli/secret-input.ts'

const run = fileURLToPath(new URL('../../../tools/run.mjs', import.meta.url))

export type Ended = { code: number | null; stdout: string; stderr: string }

/** Starts the operator's tool with exactly this environment. */
export function startPombo(args: readonly string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [run, 'server/src/cli/main.ts', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs the operator's tool to its end. */
export async function runPombo(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const child = startPombo(args, env)
  if (child.stdout === null || child.stderr === null) throw new Error('bug: its output is piped')
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, stdout, stderr }
}

const noSecrets: SecretInput = { ask: null, line: async () => null }

/** Runs a command inside this process, where a program of its own would prove nothing more: starting one costs a second. */
export async function runPomboHere(args: readonly string[], env: Record<string, string>, secrets: SecretInput = noSecrets): Promise<Ended> {
  const stdout: string[] = []
  const stderr: string[] = []
  const code = await runTool({
    argv: args,
    env,
    clock: systemClock(),
    secrets,
    write: (line) => stdout.push(line),
    note: (line) => stderr.push(line),
  })
  const printed = (lines: string[]) => lines.map((line) => `${line}\n`).join('')
  return { code, stdout: printed(stdout), stderr: printed(stderr) }
}
