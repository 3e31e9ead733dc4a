import { apiOf } from '../../server/test/support/processes/api.ts'
import { type Program, runs, startProgram } from '../../server/test/support/processes/program.ts'

export type BenchSimulator = {
  url: string
  program: Program
  appSecret: string
  /** Settings with which a gateway takes it for Meta. */
  settings: Record<string, string>
  /** A command under /_sim. Throws when it is refused. */
  command(path: string, body: object): Promise<void>
}

const appSecret = 'bench-app-secret'
const readyMsMax = 60_000

/** Starts the simulated platform as a process of its own. Statuses come back as under load, up to 50 in one notice; its history stays in memory. */
export async function startSimulator(): Promise<BenchSimulator> {
  const program = await startProgram({
    command: process.execPath,
    args: [
      ...runs('simulator/src/main.ts'),
      '--notice-batch',
      '50',
      '--record-max',
      '500000',
      '--app-secret',
      appSecret,
      '--verify-token',
      'bench',
    ],
    env: { PATH: process.env.PATH ?? '' },
  })
  const [, url = ''] = await program.printed(/"url":"([^"]+)"/, readyMsMax)
  const api = apiOf(url, '')
  return {
    ...{ url, program, appSecret },
    settings: { UPSTREAM: 'meta', META_GRAPH_URL: url, META_APP_SECRET: appSecret, META_VERIFY_TOKEN: 'bench' },
    async command(path, body) {
      const answer = await api.post(`/_sim/${path}`, body)
      if (answer.status !== 200) throw new Error(`The simulator refused ${path}: ${JSON.stringify(answer.body)}`)
    },
  }
}
