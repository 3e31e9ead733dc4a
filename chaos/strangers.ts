import { connect, type Socket } from 'node:net'

/** What somebody without any key does to gateways, until it is ended. */
export type Nuisance = { end(): void }

/** Where all of them come from: an address of this machine that no customer and no platform has. */
const address = '127.0.0.66'
const noticeBytes = 3 * 1024 * 1024
const bodyBytes = 256 * 1024

/** So many connections, on each gateway in turn, each of which says the same first words and then whatever `go` does with it. */
function crowd(ports: readonly number[], count: number, go: (socket: Socket, place: number) => void): Nuisance {
  const sockets = new Set<Socket>()
  let ended = false
  const open = (place: number) => {
    if (ended) return
    const socket = connect({ host: '127.0.0.1', port: ports[place % ports.length] ?? 0, localAddress: address })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.resume()
    socket.once('connect', () => go(socket, place))
    socket.once('close', () => {
      sockets.delete(socket)
      // Cut off, they come again.
      setTimeout(() => open(place), 250)
    })
  }
  for (let place = 0; place < count; place += 1) open(place)
  return {
    end() {
      ended = true
      for (const socket of sockets) socket.destroy()
    },
  }
}

const postOf = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nhost: pombo\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`

/** 320 connections on each gateway that announce a body and send none of it. */
export function announceBodies(ports: readonly number[]): Nuisance {
  return crowd(ports, 320 * ports.length, (socket) => socket.write(postOf('/upstream/notices', bodyBytes)))
}

/** 256 connections that say a header now and then and never come to the end. */
export function dripHeaders(ports: readonly number[]): Nuisance {
  return crowd(ports, 256, (socket) => {
    socket.write('GET /health HTTP/1.1\r\nhost: pombo\r\n')
    const dripping = setInterval(() => socket.write('x-more: to come\r\n'), 500)
    socket.once('close', () => clearInterval(dripping))
  })
}

/** 200 connections that each post a notice of 3 MB without a signature, less its last byte. */
export function postUnsignedNotices(ports: readonly number[]): Nuisance {
  const body = Buffer.alloc(noticeBytes - 1, ' ')
  return crowd(ports, 200, (socket) => {
    socket.write(postOf('/upstream/notices', noticeBytes))
    socket.write(body)
  })
}
