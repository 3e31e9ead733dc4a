import type { Clock } from '../../../base/clock.ts'

/** The answer of `work`, or null when it takes longer than `ms` milliseconds. The work itself goes on. */
export async function within<Value>(clock: Clock, ms: number, work: Promise<Value>): Promise<Value | null> {
  let cancel = () => {}
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(ms, () => resolve(null))
  })
  return Promise.race([work, late]).finally(() => cancel())
}

/**
 * Runs `work` and keeps the process alive meanwhile. The server's process and the clock's timers are unreferenced, so without
 * this a process that only waits for the server to start or stop would end in the middle, with exit code 13.
 */
export async function keepingAlive<Value>(work: () => Promise<Value>): Promise<Value> {
  const anchor = setInterval(() => {}, 2 ** 30)
  try {
    return await work()
  } finally {
    clearInterval(anchor)
  }
}
