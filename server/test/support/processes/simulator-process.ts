import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiOf } from './api.ts'
import { type Program, runs, startProgram } from './program.ts'

/** A line of the simulator's history about a send. */
type UpstreamSend = { outcome: string; opaque: string | null; at: string }

export type SimulatorProcess = {
  url: string
  program: Program
  /** Settings with which a gateway takes it for Meta. */
  settings: Record<string, string>
  /** A command under /_sim. Throws when it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire says, not what our types promise
  command(path: string, body: object): Promise<any>
  /** Sends that were accepted so far. */
  accepted(): Promise<number>
  /** How many tries to hand a notice over ended how: by status, or `none` where no answer came. */
  noticesAnswered(): Promise<Map<number | 'none', number>>
  /** How often upstream accepted each message, by our message id: read from the file that it writes itself. */
  acceptances(): Promise<Map<string, number>>
  /** When each call was seen, in Unix milliseconds, by the id that we gave it: the message's and the attempt's. */
  arrivals(): Promise<Map<string, number>>
}

export const upstreamNumber = {
  phoneNumberId: '118350927764405',
  wabaId: '204817396550128',
  displayDigits: '551140028922',
  token: 'upstream-token',
}

const readyMsMax = 20_000

/** Starts the simulated platform as a program of its own, which lives on when a gateway is killed. */
export async function startSimulatorProcess(folder: string, options: readonly string[] = []): Promise<SimulatorProcess> {
  const history = join(folder, 'upstream.jsonl')
  const { phoneNumberId, wabaId, displayDigits, token } = upstreamNumber
  const number = `${phoneNumberId}:${wabaId}:${displayDigits}:${token}`
  const secrets = { META_APP_SECRET: 'upstream-app-secret', META_VERIFY_TOKEN: 'upstream-verify-token' }
  const program = await startProgram({
    command: process.execPath,
    args: [
      ...runs('simulator/src/main.ts'),
      ...['--number', number, '--subscribed', '--history', history],
      ...['--app-secret', secrets.META_APP_SECRET, '--verify-token', secrets.META_VERIFY_TOKEN],
      ...options,
    ],
    env: { PATH: process.env.PATH ?? '' },
  })
  const [, url = ''] = await program.printed(/"url":"([^"]+)"/, readyMsMax)
  const api = apiOf(url, '')
  return {
    url,
    program,
    settings: { UPSTREAM: 'meta', META_GRAPH_URL: url, ...secrets },
    async command(path, body) {
      const answer = await api.post(`/_sim/${path}`, body)
      if (answer.status !== 200) throw new Error(`The simulator refused ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    accepted: async () => (await api.get('/_sim')).body.accepted,
    noticesAnswered: async () =>
      countBy((await linesOf<{ status: number | null }>(history, 'notice')).map((each) => each.status ?? 'none')),
    arrivals: async () =>
      new Map((await linesOf<UpstreamSend>(history, 'send')).map((each) => [each.opaque ?? '', new Date(each.at).getTime()])),
    async acceptances() {
      const sends = await linesOf<UpstreamSend>(history, 'send')
      // Our id is the message's and the attempt's, with a point between.
      return countBy(sends.filter((each) => each.outcome === 'accepted').map((each) => (each.opaque ?? '').split('.')[0] ?? ''))
    },
  }
}

async function linesOf<Line>(history: string, kind: 'send' | 'notice'): Promise<Line[]> {
  const lines = (await readFile(history, 'utf8').catch(() => '')).split('\n').filter((line) => line.startsWith(`{"history":"${kind}"`))
  return lines.map((line) => JSON.parse(line) as Line)
}

function countBy<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
