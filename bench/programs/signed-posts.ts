import { createHmac } from 'node:crypto'
import { Pool } from 'undici'
import { readOrders } from '../stage/program.ts'

/** B4: posts signed bodies as fast as undici's pool takes them. No database, no history. */
type Orders = { origin: string; path: string; body: string; connections: number; count: number }
const { origin, path, body, connections, count } = await readOrders<Orders>()
const pool = new Pool(origin, { connections, pipelining: 1 })
const bytes = Buffer.from(body)
const secret = `whsec_${'s'.repeat(43)}`
let next = 0
const postOn = async () => {
  while (next < count) {
    const i = next
    next += 1
    const t = Math.floor(Date.now() / 1_000)
    const digest = createHmac('sha256', secret).update(`${t}.`).update(bytes).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'service-event-id': `evt_${i}`,
      'service-event-type': 'message.received',
      'service-signature': `t=${t},v1=${digest}`,
    }
    const answer = await pool.request({ method: 'POST', path, headers, body: bytes })
    await answer.body.dump()
  }
}
await Promise.all(Array.from({ length: connections }, postOn))
await pool.close()
process.stdout.write(JSON.stringify({ posted: count }))
