import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { fuzz } from './fuzz.ts'

// `npm run fuzz -- --seconds 180 --seed 7` sets these; without, the same short run every time.
const seconds = Number(process.env.FUZZ_SECONDS ?? 0)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_127)
const runs = 100

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test(
  'whatever is asked, the answer is one of the contract: no fault of ours, nothing right refused, nothing wrong accepted',
  async () => {
    const report = await fuzz(gateway, seed, seconds > 0 ? { seconds } : { runs })
    if (seconds > 0) {
      const lines = [...report.reached]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, count]) => `${String(count).padStart(8)}  ${name}`)
      console.log(
        `${report.requests} requests, ${report.reached.size} different answers, ${report.faults.length} faults, seed ${seed}\n${lines.join('\n')}`,
      )
    }
    expect(report.faults.join('\n\n')).toBe('')
    if (seconds > 0) return
    const succeeded = (operation: string) => [...report.reached.keys()].some((name) => name.startsWith(`${operation} 2`))
    expect(gateway.contract.operations.filter((operation) => !succeeded(operation))).toEqual([])
  },
  120_000 + seconds * 2_000,
)
