import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestDatabase } from './database.ts'

export type LossyConnection = {
  /** The same database, reached through this proxy. */
  connection: TestDatabase['connection']
  /** Cuts the connection of each of the next `count` commits after the server has done it and before its answer is told. */
  loseCommitAnswers(count: number): void
  /** Cuts the connection of each of the next `count` commits once the server has it, while it still executes it. */
  cutDuringCommits(count: number): void
  /** Ends all connections, and refuses new ones until `heal`. */
  cut(): void
  /** Nothing passes in either direction any more, as behind a firewall that forgot: connections stay open, and new ones are never answered. */
  stall(): void
  heal(): void
  close(): Promise<void>
}

/** A proxy before PostgreSQL's socket that loses answers: the one moment in which nobody can know whether a commit was done. */
export async function lossyConnection(target: TestDatabase['connection']): Promise<LossyConnection> {
  const directory = await mkdtemp(join(tmpdir(), 'pombo-test-lossy-'))
  const sockets = new Set<Socket>()
  let toLose = 0
  let toCut = 0
  let away = false
  let stalled = false
  const server = createServer((client) => {
    if (away) {
      client.destroy()
      return
    }
    const upstream = dial(`${target.host}/.s.PGSQL.${target.port}`)
    let losing = false
    const end = () => {
      client.destroy()
      upstream.destroy()
      sockets.delete(client)
      sockets.delete(upstream)
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (chunk) => {
      if (toLose > 0 && chunk.includes('commit\0')) {
        toLose -= 1
        losing = true
      }
      if (toCut > 0 && chunk.includes('commit\0')) {
        toCut -= 1
        // The server reads the commit before it sees the end, and executes it.
        upstream.end(chunk, () => client.destroy())
      } else upstream.write(chunk)
    })
    // The server answers a commit once it is done.
    upstream.on('data', (chunk) => (losing ? end() : client.write(chunk)))
    if (stalled) for (const socket of [client, upstream]) socket.pause()
  })
  await new Promise<void>((resolve) => server.listen(join(directory, `.s.PGSQL.${target.port}`), resolve))
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    connection: { ...target, host: directory },
    loseCommitAnswers(count) {
      toLose = count
    },
    cutDuringCommits(count) {
      toCut = count
    },
    cut() {
      away = true
      cut()
    },
    stall() {
      stalled = true
      for (const socket of sockets) socket.pause()
    },
    heal() {
      away = false
      stalled = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
    },
  }
}
