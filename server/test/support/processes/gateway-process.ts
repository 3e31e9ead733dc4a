import { createServer } from 'node:net'
import { type Program, runs, startProgram } from './program.ts'

export type GatewayProcess = { program: Program; url: string }

/** What Node runs for a gateway, as `npm start` says it. */
export const gatewayMain = runs('server/src/main.ts')

/** A loaded machine that makes a database meanwhile: what a start should take is asserted where it is the point. */
export const startMsMax = 60_000

/** What a clean stop may take. */
export const stopMsMax = 30_000

/** The environment of a gateway or of the operator's tool: what a shell gives, and these settings. */
export function environment(settings: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', PORT: '0', DRAIN_SECONDS: '0', ...settings }
}

/**
 * Starts a gateway as `npm start` does, without npm, and waits for the line that says where it listens. `limit`: what the shell
 * is told before it, such as `ulimit -n 200`.
 */
export async function startGatewayProcess(
  settings: Record<string, string>,
  user?: { uid: number; gid: number },
  limit?: string,
): Promise<GatewayProcess> {
  const [command, args] =
    limit === undefined ? [process.execPath, gatewayMain] : ['sh', ['-c', `${limit}; exec "$0" "$@"`, process.execPath, ...gatewayMain]]
  const program = await startProgram({ command, args, env: environment(settings), user })
  const [, meta, sandbox] = await program.printed(
    /"kind":"gateway\.ready","url":"(http[^"]+)"|API +(http:\S+)\/v1[\s\S]*Ctrl-C stops everything/,
    startMsMax,
  )
  return { program, url: meta ?? sandbox ?? '' }
}

/** Starts a gateway that is expected to refuse, and waits for its end. */
export async function startRefused(settings: Record<string, string>, user?: { uid: number; gid: number }) {
  const startedMs = performance.now()
  const program = await startProgram({ command: process.execPath, args: gatewayMain, env: environment(settings), user })
  const { code } = await program.ended
  return { code, words: program.stderr().trim(), printed: program.stdout(), ms: performance.now() - startedMs, pid: program.pid }
}

/** A port that the system gave a moment ago: for a gateway that must be found at the same address after its restart. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
