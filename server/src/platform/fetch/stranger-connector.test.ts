import type { Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import type { BlockedAddress } from './blocked-address.ts'
import { rawReceiver, type StrangeReceiver } from './strange-receivers.ts'
import { strangerConnector } from './stranger-connector.ts'

let receiver: StrangeReceiver

afterEach(() => receiver.close())

/** Connects to the receiver under the given host and answers with the socket or the error's words. */
function connect(host: string, blocked: BlockedAddress): Promise<Socket | string> {
  const deps = {
    blocked,
    own: { usesPort: () => false, reaches: async () => false },
    resolve: async () => [{ address: '127.0.0.1', family: 4 as const }],
    secureContext: createSecureContext(),
    timeoutMs: 2_000,
  }
  const origin = new URL(`http://${host}:${receiver.port}`)
  const options = { hostname: host, protocol: 'http:', port: origin.port }
  return new Promise((resolve) =>
    strangerConnector(deps, origin)(options, (error, socket) => resolve(error?.message ?? socket ?? 'neither')),
  )
}

describe('the connector trusts nobody before it', () => {
  test('a forbidden literal is refused without a connection, although no lookup is made for it', async () => {
    receiver = await rawReceiver(() => undefined)
    expect(await connect('127.0.0.1', (address) => address === '127.0.0.1')).toBe('stranger: blocked')
    expect(receiver.connections).toBe(0)
  })

  test.each(['127.0.0.1', 'receiver.test'])(
    'the address that %s was really connected to is checked again, and the socket destroyed',
    async (host) => {
      receiver = await rawReceiver(() => undefined)
      const asked: string[] = []
      const hungUp = receiver.hungUp()
      // Says yes to what was planned and no to what is found at the other end.
      const outcome = await connect(host, (address) => asked.push(address) > 1)
      expect(outcome).toBe('stranger: blocked')
      expect(asked).toEqual(['127.0.0.1', '127.0.0.1'])
      await hungUp
    },
  )

  test('an allowed address is connected to', async () => {
    receiver = await rawReceiver(() => undefined)
    const socket = await connect('receiver.test', () => false)
    expect(typeof socket === 'string' ? socket : socket.remotePort).toBe(receiver.port)
    if (typeof socket !== 'string') socket.destroy()
  })
})
