/** What the HTTP server tells. Paths, queries, bodies and headers never: a route is its pattern. */
export type HttpObservation =
  | { kind: 'http.answered'; requestId: string; method: string; route: string; status: number; ms: number }
  | { kind: 'http.bug'; requestId: string; method: string; route: string; message: string; stack: string }
  | { kind: 'http.outage'; requestId: string; method: string; route: string; message: string }
  | { kind: 'http.stranger_refused'; requestId: string; method: string; route: string; message: string }
  | { kind: 'http.unknown_proxy'; message: string }
  | { kind: 'http.unreadable'; requestId: string; code: string }
  | { kind: 'rate_limit.store_away'; message: string }
  | { kind: 'rate_limit.store_back' }
  | { kind: 'request_log.dropped'; entries: number; message: string }
  | { kind: 'readiness.changed'; ready: boolean; failing: readonly string[] }

/** The level of each; see `createObserver`. */
export const httpLevels = {
  'http.answered': 'debug',
  'http.bug': 'error',
  'http.outage': 'error',
  'http.stranger_refused': 'debug',
  'http.unknown_proxy': 'warn',
  'http.unreadable': 'debug',
  'rate_limit.store_away': 'warn',
  'rate_limit.store_back': 'info',
  'request_log.dropped': 'warn',
  'readiness.changed': 'warn',
} as const satisfies Record<HttpObservation['kind'], 'debug' | 'info' | 'warn' | 'error'>
