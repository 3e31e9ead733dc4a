/** Work that no answer waits for, so that how long it takes tells nobody anything. */
export type Errands = {
  /** Starts it, unless too many are under way: then it is left undone. */
  start(work: () => Promise<unknown>): void
  /** Waits for those under way. */
  close(): Promise<void>
}

const errandsMax = 50

/** What goes wrong is told to `failed`. */
export function createErrands(failed: (error: unknown) => void): Errands {
  const running = new Set<Promise<void>>()
  return {
    start(work) {
      if (running.size >= errandsMax) return failed(new Error('too many errands at once: one was left undone'))
      const errand = work()
        .then(() => {}, failed)
        .finally(() => running.delete(errand))
      running.add(errand)
    },
    async close() {
      await Promise.all(running)
    },
  }
}
