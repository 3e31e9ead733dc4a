import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { HttpObservation } from './observation.ts'
import { createRateWindows, type RateWindow, type TakeFrom } from './rate-window.ts'

export type RateLimits = {
  /** Counts a call of a verified key, and of its account if the key still may; answers the tighter of the two. */
  takeCall(keyId: Uuid, accountId: Uuid): RateWindow | Promise<RateWindow>
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
  const inMemory = (max: number) => createRateWindows({ clock: options.clock, max, windowMs: limits.rateWindowMs, keysMax })
  const { redisUrl, observe } = options
  // Loaded only where it is used: half of the cost of importing the two is paid by every start otherwise.
  const shared =
    redisUrl === null ? null : (await import('./rate-limit-shared.ts')).openSharedWindows({ redisUrl, clock: options.clock, observe })
  const windows = (name: string, max: number): TakeFrom => shared?.windows(name, max, inMemory(max)) ?? inMemory(max)

  const ofKey = windows('key', options.perKey)
  const ofAccount = windows('account', options.perAccount)
  const ofAddress = windows('address', limits.failedAuthenticationsMax)
  return {
    takeCall(keyId, accountId) {
      const key = ofKey(keyId)
      if (key instanceof Promise) return key.then((window) => withAccount(window, ofAccount, accountId))
      return withAccount(key, ofAccount, accountId)
    },
    takeFailedAuthentication: (address) => ofAddress(networkOf(address)),
    close: async () => shared?.close(),
  }
}

/** A key that is over its limit does not use up what its account's other keys may do. */
function withAccount(key: RateWindow, ofAccount: TakeFrom, accountId: Uuid): RateWindow | Promise<RateWindow> {
  if (!key.admitted) return key
  const account = ofAccount(accountId)
  return account instanceof Promise ? account.then((window) => tighter(key, window)) : tighter(key, account)
}

// rule: limits 1
const tighter = (key: RateWindow, account: RateWindow) => (!account.admitted || account.remaining < key.remaining ? account : key)

/** One subscriber has a whole /64 of IPv6, so that is what counts as one address. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
