import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Between gateways and PostgreSQL: passes everything on until told otherwise. */
export type FaultProxy = {
  port: number
  /**
   * Cuts the connection of each of the next `count` commits: `before` the server has seen it, `during` its work at it (some time after it was handed
   * over, so the commit must be a slow one), or `after` it has done it and before its answer is told.
   */
  cutCommits(moment: Moment, count: number): void
  /** Nothing passes in either direction, and connections stay open. */
  stall(): void
  /** Ends all connections and refuses new ones. */
  refuse(): void
  /** Everything passes again; what was held back by a stall is told now. */
  heal(): void
  close(): Promise<void>
}

type Moment = 'before' | 'during' | 'after'

/** How long the server works at a commit before its connection is cut. */
const duringMs = 150

/** What ends a transaction: our driver's simple query, or an intent, which is a statement of its own and is committed with it. */
const commits = [Buffer.from('commit\0'), Buffer.from('write_send_intents')]

/** Listens on a port of its own, before the socket that `target` names (a path). */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const pairs = new Set<{ client: Socket; server: Socket }>()
  let mode: 'pass' | 'stall' | 'refuse' = 'pass'
  let toCut = { before: 0, during: 0, after: 0 }

  const listener = createServer((client) => {
    if (mode === 'refuse') return void client.destroy()
    const server = connect(target)
    const pair = { client, server }
    let losing = false
    const end = () => {
      client.destroy()
      server.destroy()
      pairs.delete(pair)
    }
    pairs.add(pair)
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    client.on('data', (chunk) => {
      const ends = commits.some((commit) => chunk.includes(commit))
      if (ends && toCut.before > 0) {
        toCut.before -= 1
        return end()
      }
      if (ends && toCut.after > 0) {
        toCut.after -= 1
        losing = true
      }
      server.write(chunk)
      if (ends && toCut.during > 0) {
        toCut.during -= 1
        setTimeout(end, duringMs)
      }
    })
    // One question at a time is under way on a connection: what comes now is the answer to the commit.
    server.on('data', (chunk) => (losing ? end() : client.write(chunk)))
    if (mode === 'stall') hold(pair)
  })
  await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const hold = ({ client, server }: { client: Socket; server: Socket }) => {
    client.pause()
    server.pause()
  }
  const endAll = () => {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
  }
  return {
    port,
    cutCommits(moment, count) {
      toCut[moment] = count
    },
    stall() {
      mode = 'stall'
      for (const pair of pairs) hold(pair)
    },
    refuse() {
      mode = 'refuse'
      endAll()
    },
    heal() {
      mode = 'pass'
      toCut = { before: 0, during: 0, after: 0 }
      for (const { client, server } of pairs) {
        client.resume()
        server.resume()
      }
    },
    async close() {
      endAll()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}
