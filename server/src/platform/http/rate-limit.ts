import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import { type Attempts, createAttempts, type MakeWindows } from './attempts.ts'
import { networkOf } from './network-of.ts'
import type { HttpObservation } from './observation.ts'
import { createRateWindows, type RateWindow, type TakeFrom } from './rate-window.ts'

export type RateLimits = {
  /** Counts a call of a verified key, then of its account, then, where it is one, as an upload, each only if those before admit it; answers the tightest. */
  takeCall(keyId: Uuid, accountId: Uuid, isUpload?: boolean): RateWindow | Promise<RateWindow>
  /** Counts a call that somebody makes in the console. */
  takeConsoleCall(userId: Uuid): RateWindow | Promise<RateWindow>
  /** What strangers try. */
  attempts: Attempts
  /** Counts a failed authentication from an address. Nothing else is ever held up by it (rule: limits 2). */
  takeFailedAuthentication(address: string): RateWindow | Promise<RateWindow>
  close(): Promise<void>
}

export type RateLimitOptions = {
  clock: Clock
  observe: (observation: HttpObservation) => void
  /** Calls a minute. */
  perKey: number
  perAccount: number
  /** Valkey or Redis, where several processes share the limits; null: this process counts alone. */
  redisUrl: string | null
}

/** More keys or addresses than this within a minute are not told apart for longer. Some 10 MB. */
const keysMax = 100_000

export async function createRateLimits(options: RateLimitOptions): Promise<RateLimits> {
  const inMemory = (max: number, windowMs: number) => createRateWindows({ clock: options.clock, max, windowMs, keysMax })
  const { redisUrl, observe } = options
  // Loaded only where it is used: half of the cost of importing the two is paid by every start otherwise.
  const shared =
    redisUrl === null ? null : (await import('./rate-limit-shared.ts')).openSharedWindows({ redisUrl, clock: options.clock, observe })
  const windows: MakeWindows = (name, max, windowMs) =>
    shared?.windows(name, { max, windowMs }, inMemory(max, windowMs)) ?? inMemory(max, windowMs)
  const inMinute = (name: string, max: number) => windows(name, max, limits.rateWindowMs)

  const ofKey = inMinute('key', options.perKey)
  const ofAccount = inMinute('account', options.perAccount)
  const ofUploads = inMinute('upload', limits.uploadsPerKeyMax)
  const ofPeople = inMinute('person', limits.consoleCallsMax)
  const ofAddress = inMinute('address', limits.failedAuthenticationsMax)
  return {
    takeCall(keyId, accountId, isUpload = false) {
      const call = andThen(ofKey(keyId), ofAccount, accountId)
      return isUpload ? andThen(call, ofUploads, keyId) : call
    },
    takeConsoleCall: ofPeople,
    attempts: createAttempts(windows),
    takeFailedAuthentication: (address) => ofAddress(networkOf(address)),
    close: async () => shared?.close(),
  }
}

/** What is over one limit does not use up the next: a key that calls too often leaves its account's other keys alone. */
function andThen(first: RateWindow | Promise<RateWindow>, next: TakeFrom, key: string): RateWindow | Promise<RateWindow> {
  if (first instanceof Promise) return first.then((window) => andThen(window, next, key))
  if (!first.admitted) return first
  const second = next(key)
  return second instanceof Promise ? second.then((window) => tighter(first, window)) : tighter(first, second)
}

// rule: limits 1, media 4
const tighter = (first: RateWindow, next: RateWindow) => (!next.admitted || next.remaining < first.remaining ? next : first)
