import { readOrders } from '../stage/program.ts'
import { percentile } from '../statistics.ts'
import { type HttpCaller, openCaller } from './http-caller.ts'
import { requestOf, type Work } from './requests.ts'

export type HttpLoadOrders = {
  origin: string
  work: Work
  callers: number
  count: number
  /** Posted before, as fast as can be, and not counted. */
  warmUp: number
  /** Null: each caller posts its next when the one before was answered. */
  perSecond: number | null
}

export type HttpLoadAnswer = {
  perSecond: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** When the first was posted and the last was answered, by the wall clock. */
  firstMs: number
  lastMs: number
  /** How many answers had which status. */
  statuses: Record<string, number>
}

/** A crowd of callers over HTTP, as a program: `http-load.ts ORDERS.json`. */
const orders = await readOrders<HttpLoadOrders>()
const callers = await Promise.all(Array.from({ length: orders.callers }, () => openCaller(orders.origin)))
await closedLoop(orders.warmUp, (i) => orders.count + i, null)
const latencies = new Float64Array(orders.count)
const statuses: Record<string, number> = {}
const firstMs = Date.now()
const startedMs = performance.now()
if (orders.perSecond === null) await closedLoop(orders.count, (i) => i, latencies)
else await paced(orders.perSecond)
const tookMs = performance.now() - startedMs
for (const caller of callers) caller.close()
const answer: HttpLoadAnswer = {
  perSecond: (orders.count * 1_000) / tookMs,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
  maxMs: percentile(latencies, 1),
  firstMs,
  lastMs: Date.now(),
  statuses,
}
process.stdout.write(JSON.stringify(answer))

async function closedLoop(count: number, place: (i: number) => number, into: Float64Array | null): Promise<void> {
  let next = 0
  const callOn = async (caller: HttpCaller) => {
    while (next < count) {
      const i = next
      next += 1
      const request = requestOf(orders.work, orders.origin, place(i))
      const atMs = performance.now()
      const status = await caller.call(request)
      if (into === null) continue
      into[i] = performance.now() - atMs
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(callers.map(callOn))
}

/** Each call has its moment, whatever became of those before; what it waited for a free connection counts as its latency. */
async function paced(perSecond: number): Promise<void> {
  const free = [...callers]
  const freed: (() => void)[] = []
  const one = async (i: number) => {
    const request = requestOf(orders.work, orders.origin, i)
    const dueMs = startedMs + (i * 1_000) / perSecond
    let caller = free.pop()
    while (caller === undefined) {
      await new Promise<void>((resolve) => freed.push(resolve))
      caller = free.pop()
    }
    const status = await caller.call(request)
    latencies[i] = performance.now() - dueMs
    statuses[status] = (statuses[status] ?? 0) + 1
    free.push(caller)
    freed.shift()?.()
  }
  const open: Promise<void>[] = []
  for (let i = 0; i < orders.count; ) {
    const due = Math.min(orders.count, Math.floor(((performance.now() - startedMs) * perSecond) / 1_000) + 1)
    for (; i < due; i += 1) open.push(one(i))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(open)
}
