import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** One address before several gateways: a new connection goes to the next that takes it, as behind any load balancer. */
export async function startBalancer(ports: readonly number[]): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let turn = 0
  const join = (client: Socket, triesLeft: number) => {
    turn += 1
    const server = connect(ports[turn % ports.length] ?? 0, '127.0.0.1')
    sockets.add(server)
    server.once('connect', () => {
      server.on('close', () => client.destroy())
      client.pipe(server).pipe(client)
      client.resume()
    })
    server.on('error', () => {
      sockets.delete(server)
      // Refused before anything was sent: another may take it.
      if (server.connecting && triesLeft > 0) join(client, triesLeft - 1)
      else if (client.bytesRead === 0 && triesLeft > 0) join(client, triesLeft - 1)
      else client.destroy()
    })
    client.on('close', () => server.destroy())
  }
  const listener = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    client.once('close', () => sockets.delete(client))
    join(client, ports.length - 1)
  })
  await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
