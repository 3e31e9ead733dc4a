import pg from 'pg'
import { type Clock, machineMs, pause } from '../../base/clock.ts'
import { randomNumber } from '../../base/id.ts'
import { isConflict, isOutage, isReadOnly, sqlState } from './failure.ts'
import type { ServerConnection } from './server-tls.ts'
import { beginWith, type SessionLimits, sessionLimits } from './session-limits.ts'
import type { Compilable, Statement } from './statement.ts'

/** What is asked without waiting for the answer before is sent at once; in a transaction it runs in the order asked, and one error fails all that follow. */
export type Queries = {
  /** Runs a prepared statement. */
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Runs what a query builder wrote. */
  all<Row>(query: Compilable<Row>): Promise<Row[]>
}

/** The queries of one open transaction. */
export type Tx = Queries & { readonly inTransaction: true }

export type Database = Queries & {
  /** Commits what `work` did, or rolls all of it back and throws what it threw. READ COMMITTED. */
  transaction<Value>(work: (tx: Tx) => Promise<Value>): Promise<Value>
  /**
   * The same for work that may be done twice: repeated, a bounded number of times, after a deadlock, and after a lost
   * connection, where the commit may already have happened. `attempt` starts at 1. An attempt begins once the one before it is over
   * in the database, committed or not, also where that one's commit was still executing when its connection was cut.
   */
  repeatable<Value>(work: (tx: Tx, attempt: number) => Promise<Value>): Promise<Value>
  /** The database's clock minus ours, in milliseconds, and how long asking took: the difference is known to half of that. */
  measureClockOffset(): Promise<{ offsetMs: number; roundTripMs: number }>
  /** Ends all connections; what is still running is given the chance to finish. */
  close(): Promise<void>
}

export type Connection = ServerConnection | { host: string; user: string; database: string }

export type DatabaseObservation =
  | { kind: 'database.connection_lost'; message: string }
  | { kind: 'database.retry'; attempt: number; state: string }

export type DatabaseOptions = {
  connection: Connection
  clock: Clock
  observe: (observation: DatabaseObservation) => void
  /** What the server calls its connections (`application_name`); left out: `pombo`. */
  name?: string
  connectionsMax?: number
  /** A statement that takes longer is stuck or lost: its connection is given up, and the server ends it a second later. */
  queryMsMax?: number
  /** A statement that waits longer for a lock fails, in milliseconds; left out: 9 s. */
  lockMsMax?: number
  /** False: neither a transaction nor a rest within it is bounded, as migrations need it. */
  transactionsAreBounded?: boolean
}

const connectTimeoutMs = 5_000
const connectionsMaxDefault = 12
const queryMsMaxDefault = 10_000
/** Below the bound of a statement, so that a transaction's connection outlives a wait for a lock. */
const lockMsMaxDefault = 9_000
/** The client gives up first, and knows then what it did; the server follows. */
const serverWaitsMs = 1_000
const transactionMsMax = 60_000
/**
 * A process that is frozen in the middle of its work, or cut off, loses its locks when it loses its lease: the others must not wait
 * behind it for as long as its connection lives.
 */
const idleInTransactionMsMax = 10_000
const retryDelaysMs = [20, 100, 400, 1_500]
/** After this long nothing is tried again: whoever waits must learn that the database is away. */
const retryMsMax = 8_000

// json stays text: parsing and printing it again could change it. int8 is a number while that is exact.
const int8Oid = 20
const jsonOid = 114
const timestamptzOid = 1184
const parsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === jsonOid) return (text: string) => text
    if (oid === int8Oid) return exactNumber
    if (oid === timestamptzOid) return moment
    return pg.types.getTypeParser(oid, format as 'text')
  },
}

/**
 * Planned once for each connection: planning over all partitions again at each run cost more than the run (claims 47 → 10 ms).
 * And planned as what every statement here is, look-ups by index for a list of keys, whatever the statistics say: a plan made while
 * a table was empty reads all of it, and stays in the cache while the table grows (1,000 sends a second then read 15 million rows).
 */
export const plannerSettings =
  'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set random_page_cost = 1.1'

/** Before and after all others, as in the database. The driver would give a number, which has no time. */
const endsOfTime = new Map([
  ['-infinity', -8.64e15],
  ['infinity', 8.64e15],
])

const parseMoment = pg.types.getTypeParser(timestamptzOid, 'text') as (text: string) => Date

function moment(text: string): Date {
  const end = endsOfTime.get(text)
  return end === undefined ? parseMoment(text) : new Date(end)
}

function exactNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`bug: ${text} is beyond what a number holds exactly`)
  return value
}

/** Its types do not know it yet. */
const pipelined = { pipeline: true }

export function openDatabase(options: DatabaseOptions): Database {
  const { clock, observe, queryMsMax = queryMsMaxDefault } = options
  const limits = limitsOf(options)
  const pool = new pg.Pool({
    ...options.connection,
    types: parsers,
    max: options.connectionsMax ?? connectionsMaxDefault,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryMsMax,
    keepAlive: true,
    // Statements that do not wait for each other's answers go out together: in one transaction they still run one after the other.
    ...pipelined,
    application_name: options.name ?? 'pombo',
    // The pool waits for this, although its types do not say so; beside another query of the same connection pg would warn.
    onConnect: (client) => client.query(`${plannerSettings}; ${sessionLimits(limits)}`) as unknown as undefined,
  })
  // Without a listener a server that goes away would end the process.
  pool.on('error', (error) => observe({ kind: 'database.connection_lost', message: error.message }))

  const transact = async <Value>(work: (tx: Tx) => Promise<Value>, first = ''): Promise<Value> => {
    const client = await pool.connect()
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      // Both in one round trip, and for this transaction only, so that it holds behind a pooler too.
      await client.query(`${beginWith(limits)}${first}`)
      const value = await work({ ...queriesOf(client), inTransaction: true })
      const { command } = await client.query('commit')
      // Where a statement failed and its error was passed over, PostgreSQL answers a commit by rolling back, without an error.
      if (command !== 'COMMIT') throw new Error('bug: the work went on after a failed statement, and nothing was committed')
      return value
    } catch (error) {
      // An error without SQLSTATE left the connection in an unknown state: a rollback on it proves nothing.
      // And one to a server that takes no writes any more would fail all that follow: another leads to the server that does.
      if (isOutage(error) && (sqlState(error) === null || isReadOnly(error))) broken = error as Error
      else await client.query('rollback').catch((failure: Error) => onError(failure))
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  return {
    ...queriesOf(pool),
    transaction: (work) => transact(work),
    async repeatable(work) {
      const beganMs = clock.monotonicMs()
      const oneAfterAnother = `; select pg_advisory_xact_lock(${randomNumber()})`
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await transact((tx) => work(tx, attempt), oneAfterAnother)
        } catch (error) {
          const delayMs = retryDelaysMs[attempt - 1]
          if (delayMs === undefined || clock.monotonicMs() - beganMs > retryMsMax || !(isConflict(error) || isOutage(error))) throw error
          observe({ kind: 'database.retry', attempt, state: sqlState(error) ?? 'connection' })
          await pause(clock, isConflict(error) ? 5 : delayMs)
        }
      }
    },
    async measureClockOffset() {
      const before = machineMs()
      const { rows } = await pool.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
      const after = machineMs()
      return { offsetMs: Number(rows[0]?.ms ?? before) - (before + after) / 2, roundTripMs: after - before }
    },
    async close() {
      await pool.end()
    },
  }
}

function limitsOf({ queryMsMax = queryMsMaxDefault, lockMsMax, transactionsAreBounded = true }: DatabaseOptions): SessionLimits {
  return {
    statementMs: queryMsMax + serverWaitsMs,
    lockMs: lockMsMax ?? lockMsMaxDefault,
    transactionMs: transactionsAreBounded ? transactionMsMax : 0,
    idleInTransactionMs: transactionsAreBounded ? idleInTransactionMsMax : 0,
  }
}

function queriesOf(target: pg.Pool | pg.PoolClient): Queries {
  return {
    async run<Row>(statement: Statement, values: readonly unknown[]) {
      const { rows } = await target.query({ name: statement.name, text: statement.text, values: [...values] })
      return rows as Row[]
    },
    async all<Row>(query: Compilable<Row>) {
      const compiled = query.compile()
      const { rows } = await target.query(compiled.sql, [...compiled.parameters])
      return rows as Row[]
    },
  }
}
