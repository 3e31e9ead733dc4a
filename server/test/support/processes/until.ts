const pauseMs = 25

/**
 * Polls what another process does and cannot signal: resolves to the first answer that is neither null nor false, or throws
 * after `msMax`, naming `what`. An error of `condition` counts as "not yet" and is shown when time is over.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | null | false> | Value | null | false,
  msMax: number,
): Promise<Value> {
  const startedMs = performance.now()
  let trouble: unknown = null
  while (performance.now() - startedMs < msMax) {
    try {
      const value = await condition()
      if (value !== null && value !== false) return value
      trouble = null
    } catch (error) {
      trouble = error
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error(`Not within ${msMax} ms: ${what}.${trouble === null ? '' : ` ${String(trouble)}`}`)
}
