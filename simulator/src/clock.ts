/** Where the simulator takes its time from: `nowMs` is the wall clock in Unix milliseconds, `monotonicMs` never runs backwards. */
export type Clock = { nowMs(): number; monotonicMs(): number }

/** The clocks of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  // On Linux the same for all processes, so that histories of several can be laid side by side; `performance.now()` starts with the process.
  monotonicMs: () => {
    const [seconds, nanoseconds] = process.hrtime()
    return seconds * 1000 + nanoseconds / 1e6
  },
}
