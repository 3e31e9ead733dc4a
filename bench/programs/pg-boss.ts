import { createHmac } from 'node:crypto'
import { PgBoss } from 'pg-boss'
import { Pool } from 'undici'
import type { Address } from '../stage/postgres.ts'
import { readOrders } from '../stage/program.ts'

/** B6: pg-boss running the same job, a signed POST. `loops` workers, each of which fetches one job, posts, and completes it. */
type Orders = { address: Address; origin: string; path: string; body: string; loops: number; count: number }
const { address, origin, path, body, loops, count } = await readOrders<Orders>()
const boss = new PgBoss({ ...address, max: 40, schedule: false, supervise: false })
boss.on('error', (error) => console.error(String(error)))
await boss.start()
const queue = `deliveries-${process.pid}`
await boss.createQueue(queue)
for (let i = 0; i < count; i += 1_000)
  await boss.insert(
    queue,
    Array.from({ length: Math.min(1_000, count - i) }, () => ({ data: { body } })),
  )
const pool = new Pool(origin, { connections: loops, pipelining: 1 })
const secret = `whsec_${'s'.repeat(43)}`

const workOn = async () => {
  for (;;) {
    const [job] = await boss.fetch<{ body: string }>(queue, { batchSize: 1 })
    if (job === undefined) return
    await post(Buffer.from(job.data.body))
    await boss.complete(queue, job.id)
  }
}
await Promise.all(Array.from({ length: loops }, workOn))
await boss.stop({ graceful: false })
await pool.close()
process.stdout.write(JSON.stringify({ done: count }))

async function post(bytes: Buffer): Promise<void> {
  const t = Math.floor(Date.now() / 1_000)
  const digest = createHmac('sha256', secret).update(`${t}.`).update(bytes).digest('hex')
  const headers = { 'content-type': 'application/json', 'service-signature': `t=${t},v1=${digest}` }
  const answer = await pool.request({ method: 'POST', path, headers, body: bytes })
  await answer.body.dump()
}
