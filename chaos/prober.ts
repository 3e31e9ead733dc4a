import type { Probe } from './histories.ts'
import { openLines } from './run-folder.ts'

/**
 * Looks at gateways as a balancer and a monitor do, as a program: `prober.ts FILE PORT…`. Writes twice a second what each says of itself under `/ready`,
 * and how long its event loop has stood still at most. Ends on SIGTERM.
 */
const [, , file = '', ...ports] = process.argv
const lines = openLines(file)
const everyMs = 500
const answerMsMax = 2_000
const stall = /^pombo_event_loop_longest_stall_seconds(?:\{[^}]*\})? (\S+)$/m
let stopped = false

async function ask(port: string, path: string): Promise<Response | null> {
  return fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(answerMsMax) }).catch(() => null)
}

async function probe(port: string, gateway: number): Promise<void> {
  const ready = await ask(port, '/ready')
  await ready?.arrayBuffer().catch(() => {})
  const measures = await ask(port, '/metrics')
  const told = stall.exec((await measures?.text().catch(() => '')) ?? '')?.[1]
  const line: Probe = {
    kind: 'probe',
    atMs: Date.now(),
    gateway,
    ready: ready?.status ?? null,
    stallMs: told === undefined ? null : Number(told) * 1_000,
  }
  lines.write(line)
}

async function look(port: string, gateway: number): Promise<void> {
  while (!stopped) {
    await probe(port, gateway)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

process.on('SIGTERM', () => {
  stopped = true
})
await Promise.all(ports.map(look))
lines.close()
