import type { IncomingHttpHeaders } from 'node:http'
import type { HttpObservation } from './observation.ts'

/** Finds out that a proxy stands before us of which we were not told, so that all callers seem to have its address. */
export type ProxyWatch = {
  /** Whether this request came by such a proxy. The first is observed. */
  cameByUnknown(peer: string, headers: IncomingHttpHeaders): boolean
  /** For `/ready`: null as long as none was seen. */
  note(): string | null
}

const note = 'a proxy forwards requests, but TRUST_PROXY is unset: all callers count as one address'

/** Only a peer in our neighbourhood is believed to be a proxy: anybody can send its headers. */
export function createProxyWatch(
  observe: (observation: HttpObservation) => void,
  { trustProxy, isNear }: { trustProxy: readonly string[]; isNear: (address: string) => boolean },
): ProxyWatch {
  let seen = false
  return {
    cameByUnknown(peer, headers) {
      if (trustProxy.length > 0 || headers['x-forwarded-for'] === undefined || !isNear(peer)) return false
      if (!seen) observe({ kind: 'http.unknown_proxy', message: note })
      seen = true
      return true
    },
    note: () => (seen ? note : null),
  }
}
