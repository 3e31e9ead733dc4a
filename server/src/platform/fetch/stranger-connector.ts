import { isIP, type LookupFunction, Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { buildConnector } from 'undici'
import type { BlockedAddress } from './blocked-address.ts'
import type { OwnEndpointCheck } from './own-endpoints.ts'
import type { ResolvedAddress, ResolveHost } from './resolve-host.ts'
import { connectFailure, StrangerFailure } from './stranger-failure.ts'
import { hostOf, portOf } from './stranger-url.ts'

export type ConnectorDeps = {
  blocked: BlockedAddress
  own: OwnEndpointCheck
  resolve: ResolveHost
  secureContext: SecureContext
  timeoutMs: number
}

/** How many of a name's addresses are tried; all of them are checked. */
const addressesTriedMax = 8

/** Node's own 250 ms gives up on receivers at the other end of the world while their first packet is still under way. */
const addressAttemptMs = 1_000

/**
 * Connects to one origin, and to nothing that is forbidden: the name is resolved once, every address that comes back is checked, and only those
 * are connected to. Fails with a `StrangerFailure`.
 */
export function strangerConnector(deps: ConnectorDeps, origin: URL): buildConnector.connector {
  const port = portOf(origin)
  const connect = buildConnector({
    lookup: checkedLookup(deps, port),
    secureContext: deps.secureContext,
    // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
    rejectUnauthorized: true,
    allowH2: false,
    timeout: deps.timeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
  })
  return (options, done) => {
    const host = hostOf(origin)
    if (isIP(host) === 0) return connectChecked(deps, connect, { options, done })
    // Node never calls `lookup` for a literal, so it is checked here.
    if (deps.blocked(host)) return done(new StrangerFailure('blocked'), null)
    if (!deps.own.usesPort(port)) return connectChecked(deps, connect, { options, done })
    // Only here undici gets no socket to give up; the connector's own time-out ends such an attempt.
    return refuseOwn(deps, [host], port).then(
      () => connectChecked(deps, connect, { options, done }),
      (error: Error) => done(error, null),
    )
  }
}

type Connection = { options: buildConnector.Options; done: buildConnector.Callback }

/** Returns the socket, which the types of undici hide: it needs it to give up an attempt that nobody waits for any more. */
function connectChecked(deps: ConnectorDeps, connect: buildConnector.connector, { options, done }: Connection): unknown {
  let handshaking = false
  const socket: unknown = connect(options, (error, connected) => {
    if (error !== null || connected === null) return done(connectFailure(error ?? new Error('no socket'), handshaking), null)
    if (!deps.blocked(connected.remoteAddress ?? '')) return done(null, connected)
    // Cannot happen while the checks before do their work; kept because this one does not depend on how the address was found.
    connected.destroy()
    done(new StrangerFailure('blocked'), null)
  })
  if (socket instanceof Socket && options.protocol === 'https:') {
    socket.once('connect', () => {
      handshaking = true
    })
  }
  return socket
}

function checkedLookup(deps: ConnectorDeps, port: number): LookupFunction {
  return (host, options, done) => {
    checkedAddresses(deps, host, port).then(
      (addresses) => {
        const first = addresses[0]
        if (options.all === true || first === undefined) return done(null, addresses)
        done(null, first.address, first.family)
      },
      (error: Error) => done(error, []),
    )
  }
}

/** Every address of the name must be allowed: a name with both kinds is how a forbidden one is smuggled in. */
async function checkedAddresses(deps: ConnectorDeps, host: string, port: number): Promise<ResolvedAddress[]> {
  const found = await deps.resolve(host).catch(() => [])
  if (found.length === 0) throw new StrangerFailure('dns')
  if (found.some(({ address }) => deps.blocked(address))) throw new StrangerFailure('blocked')
  if (deps.own.usesPort(port)) {
    await refuseOwn(
      deps,
      found.map(({ address }) => address),
      port,
    )
  }
  return found.slice(0, addressesTriedMax)
}

async function refuseOwn(deps: ConnectorDeps, addresses: readonly string[], port: number): Promise<void> {
  const reached = await deps.own.reaches(addresses, port).catch(() => null)
  if (reached === null) throw new StrangerFailure('dns')
  if (reached) throw new StrangerFailure('blocked')
}
