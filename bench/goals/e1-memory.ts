import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import { prepare } from '../stage/million-pending.ts'
import { postgresMb, residentMb, residentMbMost } from '../stage/process-usage.ts'
import { startReceiver } from '../stage/receiver.ts'
import { startSimulator } from '../stage/simulator.ts'
import { openStage } from '../stage/stage.ts'

/** E1: what the process holds while it works on 1,000,000 pending deliveries, and while it does nothing. */
export const memory: Benchmark = {
  name: 'E1',
  title: 'memory',
  minutes: 6,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const simulator = await startSimulator()
    const receiver = await startReceiver()
    const idle = await prepare({ simulator, receiver }, { dead: false, quick })
    const full = await prepare({ simulator, receiver }, { dead: true, quick })
    const busy: number[] = []
    const calm: number[] = []
    const postgres: number[] = []
    for (let run = 0; run < runs; run += 1) {
      const working = await openStage({ simulator, dataDir: full.dataDir })
      busy.push(await residentMbMost(working.gateway.pid, quick ? 5_000 : 30_000))
      await working.close()
      const resting = await openStage({ simulator, dataDir: idle.dataDir })
      await new Promise((resolve) => setTimeout(resolve, quick ? 3_000 : 20_000))
      calm.push(await residentMb(resting.gateway.pid))
      postgres.push(await postgresMb(idle.dataDir))
      await resting.close()
    }
    await simulator.program.end('SIGKILL', 10_000)
    await receiver.end()
    return [
      judged('most with 1,000,000 pending', 'MB', busy, { atMost: 300 }),
      judged('idle', 'MB', calm, { atMost: 150 }),
      judged('PostgreSQL, idle', 'MB', postgres, { atMost: 150 }),
      shown(
        'both, idle',
        'MB',
        calm.map((each, i) => each + (postgres[i] ?? 0)),
      ),
    ]
  },
}
