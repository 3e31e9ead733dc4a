import type { Benchmark } from './benchmark.ts'
import { commits } from './goals/b1-commits.ts'
import { acceptingSends } from './goals/p1-accepting-sends.ts'
import { steadySends } from './goals/p2-steady-sends.ts'
import { notices } from './goals/p3-notices.ts'

/** All of them, in the order in which they run. */
export const benchmarks: readonly Benchmark[] = [commits, acceptingSends, steadySends, notices]
