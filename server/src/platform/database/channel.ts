import pg from 'pg'
import type { Clock } from '../../base/clock.ts'
import type { Connection, DatabaseObservation } from './database.ts'

/** Short texts from one process to all others on the same database. They may be lost: whoever relies on one also polls. */
export type Channel = {
  /** Hands the text over soon; while the database is away it is dropped. Never throws. */
  send(text: string): void
  close(): Promise<void>
}

export type ChannelOptions = {
  connection: Connection
  clock: Clock
  name: string
  onMessage: (text: string) => void
  observe: (observation: DatabaseObservation) => void
}

/** PostgreSQL takes less than 8,000 bytes. */
export const channelBytesMax = 7_900
const reconnectMs = 2_000
const connectMsMax = 5_000

/**
 * LISTEN and NOTIFY on a connection of their own, never in a transaction that does work: a NOTIFY there serialises all commits
 * of the database (it cost 42 to 73 % of the throughput when measured).
 */
export function openChannel(options: ChannelOptions): Channel {
  const { clock, name, onMessage, observe } = options
  let client: pg.Client | null = null
  let closed = false
  let cancelTimer = () => {}

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      ...options.connection,
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
      application_name: 'pombo hints',
    })
    const lost = (message: string) => {
      if (client === fresh) client = null
      if (closed) return
      observe({ kind: 'database.connection_lost', message })
      cancelTimer()
      cancelTimer = clock.after(reconnectMs, () => void connect())
    }
    let ended = false
    fresh.on('error', (error) => {
      if (ended) return
      ended = true
      lost(error.message)
    })
    fresh.on('notification', ({ payload }) => onMessage(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${pg.escapeIdentifier(name)}`)
      if (closed) await fresh.end()
      else client = fresh
    } catch (error) {
      fresh.end().catch(() => {})
      if (!ended) {
        ended = true
        lost(error instanceof Error ? error.message : String(error))
      }
    }
  }

  void connect()
  return {
    send(text) {
      // Lost with the connection, which 'error' tells.
      client?.query('select pg_notify($1, $2)', [name, text]).catch(() => {})
    },
    async close() {
      closed = true
      cancelTimer()
      await client?.end().catch(() => {})
    },
  }
}
