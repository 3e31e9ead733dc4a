import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { historyHash } from './history-hash.ts'
import { judge } from './judge/judge.ts'
import { openSimulation, type Simulation } from './simulation.ts'

let own: TestDatabase
let simulation: Simulation
beforeAll(async () => {
  own = await testDatabase()
  simulation = openSimulation(own.connection)
})
afterAll(async () => {
  await simulation.close()
  await own.close()
})

test('seeds', async () => {
  const [from, to] = (process.env.SEEDS ?? '1-5').split('-').map(Number) as [number, number]
  for (let seed = from; seed <= to; seed += 1) {
 ;(globalThis as any).parts = {}; const c0 = process.cpuUsage().user
    const began = performance.now()
    const s = await simulation.run(seed)
    for (const v of judge(s.evidence, 50)) console.log(`VIOL seed ${seed} ${v}`)
    console.log('HASH', seed, historyHash(s)); console.log(seed, Math.round(performance.now() - began), 'ms', Math.round((process.cpuUsage().user - c0)/1000), 'cpu', JSON.stringify((globalThis as any).parts), s.steps, 'steps', (s.endMs - s.startMs) / 1000, 's', s.evidence.posts.length, s.evidence.rows.events.length, JSON.stringify(s.evidence.rows.open), s.evidence.complaints.slice(0,2), s.evidence.faults.map(f=>f.kind).join())
  }
  expect(1).toBe(1)
}, 300_000)
