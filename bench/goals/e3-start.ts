import { apiOf } from '../../server/test/support/processes/api.ts'
import { newDataDir } from '../../server/test/support/processes/data-dir.ts'
import { startGatewayProcess, stopMsMax } from '../../server/test/support/processes/gateway-process.ts'
import { cpuSeconds, emptyFastifyCpuSeconds, longestStallMs } from '../../server/test/support/processes/start-cost.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { readWelcome } from '../../server/test/support/processes/welcome.ts'
import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'

const acceptedMsMax = 60_000
const demoPerson = '+55 11 98765-4321'

/** E3: with no setting at all, as a newcomer does it: the database is made, the sandbox starts, and a first send is accepted. */
export const start: Benchmark = {
  name: 'E3',
  title: 'from the start to the first 202',
  minutes: 1,
  async run({ runs }: Effort): Promise<readonly Figure[]> {
    const first: Start[] = []
    const later: Start[] = []
    const empty: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const settings = { DATA_DIR: await newDataDir(), NODE_COMPILE_CACHE: await newDataDir() }
      const one = await startAndSend(settings, null)
      first.push(one)
      later.push(await startAndSend(settings, one.key))
      empty.push(await emptyFastifyCpuSeconds())
    }
    const stalls = [...first, ...later].map(({ stallMs }) => stallMs)
    const ratios = later.map(({ cpu }, run) => cpu / (empty[run] ?? 1))
    return [
      judged(
        'first start',
        's',
        first.map(({ seconds }) => seconds),
        { atMost: 4 },
      ),
      judged(
        'later start',
        's',
        later.map(({ seconds }) => seconds),
        { atMost: 1.5 },
      ),
      judged('the longest stall of the event loop', 'ms', stalls, { atMost: 250 }),
      shown('CPU of a later start, as a multiple of an empty Fastify', '', ratios),
    ]
  },
}

type Start = { seconds: number; cpu: number; stallMs: number; key: string }

/** With a cache of compiled code, as `npm start` has it: empty at the first start. */
async function startAndSend(settings: Record<string, string>, knownKey: string | null): Promise<Start> {
  const startedMs = performance.now()
  const { program, url } = await startGatewayProcess(settings)
  const key = knownKey ?? readWelcome(program.stdout()).liveKey ?? ''
  const api = apiOf(url, key)
  // The demo person has written by then; on a slow machine that is worked through a moment after the address was printed.
  const accepted = async () =>
    (await api.post('/v1/messages', { to: demoPerson, type: 'text', text: { body: 'Olá, Maria!' } })).status === 202
  await until('a send is accepted', accepted, acceptedMsMax)
  const seconds = (performance.now() - startedMs) / 1_000
  const cost = { cpu: await cpuSeconds(program.pid), stallMs: await longestStallMs(url) }
  await program.end('SIGTERM', stopMsMax)
  return { seconds, ...cost, key }
}
