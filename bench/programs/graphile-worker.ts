import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { Pool } from 'pg'
import { Pool as HttpPool } from 'undici'
import type { Address } from '../stage/postgres.ts'
import { readOrders } from '../stage/program.ts'

/**
 * B5: graphile-worker running the same job, a POST to the simulator. `batched` turns on its local queue and its joined completions, which
 * it has off by itself and which promise less after a crash.
 */
type Orders = {
  address: Address
  origin: string
  numbers: readonly { phoneNumberId: string; token: string }[]
  people: readonly string[]
  count: number
  concurrency: number
  batched: boolean
}
type Job = { phoneNumberId: string; token: string; to: string; text: string }

const orders = await readOrders<Orders>()
const pgPool = new Pool({ ...orders.address, ssl: false, max: 40 })
const http = new HttpPool(orders.origin, { connections: orders.concurrency, pipelining: 1 })
const logger = new Logger(() => () => {})
const utils = await makeWorkerUtils({ pgPool, logger })
await utils.migrate()
for (let i = 0; i < orders.count; i += 1_000)
  await utils.addJobs(Array.from({ length: Math.min(1_000, orders.count - i) }, (_, k) => ({ identifier: 'send', payload: jobOf(i + k) })))

const over = Promise.withResolvers<void>()
let done = 0
const runner = await run({
  pgPool,
  logger,
  noHandleSignals: true,
  taskList: {
    send: async (payload) => {
      await post(payload as Job)
      done += 1
      if (done === orders.count) over.resolve()
    },
  },
  preset: {
    worker: {
      concurrentJobs: orders.concurrency,
      ...(orders.batched ? { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 } : {}),
    },
  },
})
await over.promise
await runner.stop()
await utils.release()
await http.close()
await pgPool.end()
process.stdout.write(JSON.stringify({ done }))

function jobOf(i: number): Job {
  const { phoneNumberId, token } = orders.numbers[i % orders.numbers.length] ?? { phoneNumberId: '', token: '' }
  return { phoneNumberId, token, to: orders.people[i % orders.people.length] ?? '', text: `Pedido ${i}` }
}

async function post({ phoneNumberId, token, to, text }: Job): Promise<void> {
  const { statusCode, body } = await http.request({
    method: 'POST',
    path: `/v25.0/${phoneNumberId}/messages`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messaging_product: 'whatsapp', recipient_type: 'individual', to: `+${to}`, type: 'text', text: { body: text } }),
  })
  const answer = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode}: ${answer}`)
}
