import { connect, type Socket } from 'node:net'
import { strangersAddress } from '../ask.ts'
import type { Scenario } from '../scenario.ts'
import { upload } from '../upload.ts'

const readers = 100

export const strangerSlowFiles: Scenario = {
  name: 'a stranger fetches a file of 4 MB 100 times and reads nothing',
  resource: 'disk',
  async begin({ port, newcomer }) {
    const { key } = await newcomer()
    const url = new URL(await upload(port, key, 4 * 1024 * 1024))
    const sockets = Array.from({ length: readers }, (): Socket => {
      const socket = connect({ host: '127.0.0.1', port, localAddress: strangersAddress })
      socket.on('error', () => {}).pause()
      socket.once('connect', () => socket.write(`GET ${url.pathname} HTTP/1.1\r\nhost: pombo\r\n\r\n`))
      return socket
    })
    return () => {
      for (const socket of sockets) socket.destroy()
    }
  },
}
