import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from './base/clock.ts'

/** By then the first calls of whoever started the gateway are over. */
const afterMs = 5_000

/**
 * Collects what starting left behind, once and soon: V8 keeps some 50 MB of it for as long as little is allocated. The process stands
 * still for some 50 ms.
 */
export function collectStartingGarbage(clock: Pick<Clock, 'after'>): void {
  clock.after(afterMs, () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
    collect()
  })
}
