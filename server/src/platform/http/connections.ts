import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { isNear, networkOf } from './network-of.ts'

/** How many connections may be open at once. */
export type ConnectionBounds = {
  /** Of one network whose callers have shown no key; of one in our neighbourhood, which may be a proxy. */
  ofNetwork: number
  ofNearNetwork: number
  /** Of one account or person. */
  ofCaller: number
  inAll: number
  /** Requests of one connection that wait for their answers: a client that pipelines. */
  unanswered: number
}

const boundsDefault: ConnectionBounds = { ofNetwork: 128, ofNearNetwork: 1_024, ofCaller: 2_000, inAll: 8_000, unanswered: 100 }

/** A reader that takes nothing of an answer for so long is cut. */
const stalledMsMax = 30_000
const lookEveryMs = 5_000

/** Connections without a key of one network, or those of one account or person. */
type Owner = { name: string; count: number; idle: Set<Connection> }

type Connection = {
  socket: Socket
  /** Null: nothing but the bound of all holds for it. */
  owner: Owner | null
  isTrusted: boolean
  unanswered: number
  isWatched: boolean
}

/**
 * Bounds connections: of each network without a key, of each caller, and in all. A new one is let in and the one that was idle for longest is
 * closed for it, so that health checks and callers with a key always get through; only where none is idle the new one is closed. An answer
 * that is not taken for 30 s ends its connection.
 */
export function boundConnections(
  app: FastifyInstance,
  { clock, isTrustedProxy }: { clock: Clock; isTrustedProxy: (address: string) => boolean },
  bounds: ConnectionBounds = boundsDefault,
): void {
  const connections = new Map<Socket, Connection>()
  const owners = new Map<string, Owner>()
  // In the order in which they became idle.
  const idle = new Set<Connection>()
  let isLooking = false

  const own = (connection: Connection, name: string | null, max: number) => {
    leave(connection)
    if (name === null) return
    const owner = owners.get(name) ?? { name, count: 0, idle: new Set() }
    owners.set(name, owner)
    owner.count += 1
    connection.owner = owner
    if (connection.unanswered === 0) owner.idle.add(connection)
    if (owner.count > max) close(otherThan(connection, owner.idle))
  }
  const leave = (connection: Connection) => {
    const { owner } = connection
    if (owner === null) return
    owner.idle.delete(connection)
    owner.count -= 1
    if (owner.count === 0) owners.delete(owner.name)
    connection.owner = null
  }
  const forget = (connection: Connection) => {
    connections.delete(connection.socket)
    idle.delete(connection)
    leave(connection)
  }
  const close = (connection: Connection) => {
    forget(connection)
    connection.socket.destroy()
  }
  const look = () => {
    for (const connection of connections.values()) {
      const { socket } = connection
      if (connection.isWatched || connection.unanswered === 0 || socket.writableLength === 0) continue
      // Node starts the time anew whenever something was taken, and sets it back with the next request.
      connection.isWatched = true
      socket.setTimeout(stalledMsMax)
    }
    isLooking = connections.size > 0
    if (isLooking) clock.after(lookEveryMs, look)
  }

  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const connection: Connection = { socket, owner: null, isTrusted: isTrustedProxy(address), unanswered: 0, isWatched: false }
    connections.set(socket, connection)
    idle.add(connection)
    socket.once('close', () => forget(connection))
    if (!isLooking) clock.after(lookEveryMs, look)
    isLooking = true
    const isBounded = !connection.isTrusted
    own(connection, isBounded ? `network ${networkOf(address)}` : null, isNear(address) ? bounds.ofNearNetwork : bounds.ofNetwork)
    if (connections.size > bounds.inAll) close(otherThan(connection, idle))
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const connection = connections.get(request.raw.socket)
    if (connection !== undefined) {
      idle.delete(connection)
      connection.owner?.idle.delete(connection)
      connection.unanswered += 1
      if (connection.unanswered > bounds.unanswered) close(connection)
    }
    done()
  })
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const known = request.admitted?.accountId ?? request.signedIn?.userId
    const connection = known === undefined ? undefined : connections.get(request.raw.socket)
    if (known !== undefined && connection !== undefined && !connection.isTrusted && connection.owner?.name !== known)
      own(connection, known, bounds.ofCaller)
    done(null, payload)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const connection = connections.get(request.raw.socket)
    if (connection !== undefined) {
      connection.unanswered -= 1
      connection.isWatched = false
      if (connection.unanswered === 0) {
        idle.add(connection)
        connection.owner?.idle.add(connection)
      }
    }
    done()
  })
}

/** Whose turn it is to go: the one that was idle for longest, or else the new one. */
function otherThan(connection: Connection, idle: ReadonlySet<Connection>): Connection {
  for (const each of idle) if (each !== connection) return each
  return connection
}
