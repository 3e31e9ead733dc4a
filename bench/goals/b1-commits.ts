import { type Benchmark, type Effort, type Figure, shown } from '../benchmark.ts'
import { startBaselinePostgres } from '../stage/postgres.ts'
import { runProgram } from '../stage/program.ts'

/** B1: what the disk and PostgreSQL give before anything of ours runs. Tells how to read all other figures. */
export const commits: Benchmark = {
  name: 'B1',
  title: 'single-row inserts, each a commit',
  minutes: 1,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const { address, stop } = await startBaselinePostgres()
    const alone: number[] = []
    const crowd: number[] = []
    for (let run = 0; run < runs; run += 1) {
      alone.push(await commitsOver(address, 1, quick ? 500 : 15_000))
      crowd.push(await commitsOver(address, 64, quick ? 2_000 : 100_000))
    }
    await stop()
    return [shown('over one connection', '/s', alone), shown('over 64 connections', '/s', crowd)]
  },
}

async function commitsOver(address: object, connections: number, count: number): Promise<number> {
  return (await runProgram<{ perSecond: number }>('single-row-commits.ts', { address, connections, count })).perSecond
}
