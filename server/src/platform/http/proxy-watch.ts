import type { IncomingHttpHeaders } from 'node:http'
import { isNear } from './network-of.ts'
import type { HttpObservation } from './observation.ts'

/** Finds out that a proxy stands before us of which we were not told, so that all callers seem to have its address. */
export type ProxyWatch = {
  /** Whether this request came by such a proxy. The first is observed. */
  cameByUnknown(peer: string, headers: IncomingHttpHeaders): boolean
  /** For `/ready`: never a failure, and a note once one was seen. */
  outcome(): { ok: true; note?: string }
}

const note = 'a proxy forwards requests, but TRUST_PROXY is unset: all callers count as one address'

/** Only a peer in our neighbourhood is believed to be a proxy: anybody can send its headers. */
export function createProxyWatch(observe: (observation: HttpObservation) => void, trustProxy: readonly string[]): ProxyWatch {
  let seen = false
  return {
    cameByUnknown(peer, headers) {
      if (trustProxy.length > 0 || headers['x-forwarded-for'] === undefined || !isNear(peer)) return false
      if (!seen) observe({ kind: 'http.unknown_proxy', message: note })
      seen = true
      return true
    },
    outcome: () => (seen ? { ok: true, note } : { ok: true }),
  }
}
