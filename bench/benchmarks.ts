import type { Benchmark } from './benchmark.ts'
import { commits } from './goals/b1-commits.ts'
import { memory } from './goals/e1-memory.ts'
import { idle } from './goals/e2-idle.ts'
import { start } from './goals/e3-start.ts'
import { acceptingSends } from './goals/p1-accepting-sends.ts'
import { steadySends } from './goals/p2-steady-sends.ts'
import { notices } from './goals/p3-notices.ts'
import { sendsLeaving } from './goals/p4-sends-leaving.ts'
import { oneNumber } from './goals/p5-one-number.ts'
import { deliveries } from './goals/p6-deliveries.ts'
import { eventLatency } from './goals/p7-event-latency.ts'
import { deadEndpoints } from './goals/p8-dead-endpoints.ts'
import { blackHoles } from './goals/p9-black-holes.ts'
import { lists } from './goals/p10-lists.ts'
import { monthlyUsage } from './goals/p11-usage.ts'
import { largeNotices } from './goals/p13-large-notices.ts'

/** All of them, in the order in which they run. */
export const benchmarks: readonly Benchmark[] = [
  commits,
  acceptingSends,
  steadySends,
  notices,
  sendsLeaving,
  oneNumber,
  deliveries,
  eventLatency,
  deadEndpoints,
  blackHoles,
  lists,
  monthlyUsage,
  largeNotices,
  memory,
  idle,
  start,
]
