import { connect } from 'node:net'
import type { Scenario } from '../scenario.ts'

const streams = 100

export const memberLiveStreams: Scenario = {
  name: 'a member opens 100 live streams and reads none',
  resource: 'memory',
  async begin({ port, noisy }) {
    const sockets = Array.from({ length: streams }, () => {
      const socket = connect(port, '127.0.0.1')
      const path = `/console/api/accounts/${noisy.accountId}/live`
      socket.on('error', () => {}).pause()
      socket.once('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: pombo\r\ncookie: ${noisy.cookie}\r\n\r\n`))
      return socket
    })
    return () => {
      for (const socket of sockets) socket.destroy()
    }
  },
}
