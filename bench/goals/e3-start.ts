import { apiOf } from '../../server/test/support/processes/api.ts'
import { newDataDir } from '../../server/test/support/processes/data-dir.ts'
import { startGatewayProcess, stopMsMax } from '../../server/test/support/processes/gateway-process.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { readWelcome } from '../../server/test/support/processes/welcome.ts'
import { type Benchmark, type Effort, type Figure, judged } from '../benchmark.ts'

const acceptedMsMax = 60_000
const demoPerson = '+55 11 98765-4321'

/** E3: with no setting at all, as a newcomer does it: the database is made, the sandbox starts, and a first send is accepted. */
export const start: Benchmark = {
  name: 'E3',
  title: 'from the start to the first 202',
  minutes: 1,
  async run({ runs }: Effort): Promise<readonly Figure[]> {
    const first: number[] = []
    const later: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const dataDir = await newDataDir()
      const { seconds, key } = await startAndSend(dataDir, null)
      first.push(seconds)
      later.push((await startAndSend(dataDir, key)).seconds)
    }
    return [judged('first start', 's', first, { atMost: 10 }), judged('later start', 's', later, { atMost: 2 })]
  },
}

async function startAndSend(dataDir: string, knownKey: string | null): Promise<{ seconds: number; key: string }> {
  const startedMs = performance.now()
  const { program, url } = await startGatewayProcess({ DATA_DIR: dataDir })
  const key = knownKey ?? readWelcome(program.stdout()).liveKey ?? ''
  const api = apiOf(url, key)
  // The demo person has written by then; on a slow machine that is worked through a moment after the address was printed.
  const accepted = async () =>
    (await api.post('/v1/messages', { to: demoPerson, type: 'text', text: { body: 'Olá, Maria!' } })).status === 202
  await until('a send is accepted', accepted, acceptedMsMax)
  const seconds = (performance.now() - startedMs) / 1_000
  await program.end('SIGTERM', stopMsMax)
  return { seconds, key }
}
