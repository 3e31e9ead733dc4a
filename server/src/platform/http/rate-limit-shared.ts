import { Redis } from 'iovalkey'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../../base/clock.ts'
import type { HttpObservation } from './observation.ts'
import { rateWindow, type Windows } from './rate-window.ts'

export type SharedWindows = {
  /** rule: limits 3. Counts in the store; while that is away, in `insurance`, so that a call is neither refused nor kept waiting for it. */
  windows(name: string, limit: { max: number; windowMs: number }, insurance: Windows): Windows
  close(): Promise<void>
}

/** A store that is this slow is treated as away: each call would wait for it. */
const answerMsMax = 250
const connectMsMax = 2_000
/** How often a store that is away is tried again, by one call: a store that hangs would otherwise slow down all of them. */
const tryAgainMs = 1_000

export function openSharedWindows(deps: {
  redisUrl: string
  clock: Clock
  observe: (observation: HttpObservation) => void
}): SharedWindows {
  // Nothing is queued and nothing is repeated: a call waits for its answer, and the insurance is right there.
  const client = new Redis(deps.redisUrl, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMsMax,
    connectTimeout: connectMsMax,
  })
  let away = false
  let tryAgainAtMs = 0
  const isLeftAlone = () => {
    const nowMs = deps.clock.monotonicMs()
    if (!away || nowMs < tryAgainAtMs) return away
    tryAgainAtMs = nowMs + tryAgainMs
    return false
  }
  const setAway = (message: string) => {
    tryAgainAtMs = deps.clock.monotonicMs() + tryAgainMs
    if (!away) deps.observe({ kind: 'rate_limit.store_away', message })
    away = true
  }
  const setBack = () => {
    if (away) deps.observe({ kind: 'rate_limit.store_back' })
    away = false
  }
  // Without a listener a lost connection would end the process.
  client.on('error', (error: Error) => setAway(error.message))

  return {
    windows(name, { max, windowMs }, insurance) {
      const limiter = new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `pombo:rate:${name}`,
        points: max,
        duration: windowMs / 1000,
        rejectIfRedisNotReady: true,
      })
      const take = async (key: string) => {
        if (isLeftAlone()) return insurance(key)
        try {
          const result = await limiter.consume(key).catch(overLimit)
          setBack()
          return rateWindow(max, result.consumedPoints, result.msBeforeNext)
        } catch (error) {
          setAway(error instanceof Error ? error.message : 'unknown')
          return insurance(key)
        }
      }
      const giveBack = (key: string) => {
        // What is counted here is given back here; where it was counted is the same place, but for the moment in which the store goes away.
        if (away) insurance.giveBack(key)
        else limiter.reward(key).catch((error: unknown) => setAway(error instanceof Error ? error.message : 'unknown'))
      }
      return Object.assign(take, { giveBack })
    },
    async close() {
      client.disconnect()
    },
  }
}

/** The library rejects with the window itself when the limit is passed, and with an Error when the store fails. */
function overLimit(reason: unknown): RateLimiterRes {
  if (reason instanceof RateLimiterRes) return reason
  throw reason
}
