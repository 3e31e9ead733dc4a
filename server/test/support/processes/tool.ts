import { environment } from './gateway-process.ts'
import { type Program, runs, startProgram } from './program.ts'

const main = runs('server/src/cli/main.ts')

/** Starts the operator's tool. */
export function startTool(args: readonly string[], settings: Record<string, string>): Promise<Program> {
  return startProgram({ command: process.execPath, args: [...main, ...args], env: environment(settings) })
}

/** Runs a command with `--json` to its end: its exit code and the one object that it printed. */
export async function runTool(args: readonly string[], settings: Record<string, string>) {
  const program = await startTool([...args, '--json'], settings)
  const { code } = await program.ended
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire says, not what our types promise
  const object: any = JSON.parse(program.stdout())
  return { code, object, stderr: program.stderr() }
}
