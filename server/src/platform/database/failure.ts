/** SQLSTATE of an error that PostgreSQL sent, or null for anything else (a lost connection, a bug). */
export function sqlState(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as Error) ? code : null
}

/** True when the data themselves were refused (class 22 or 23): the same batch fails again, its good members do not. */
export function isDataFailure(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? '')
}

/** No partition takes the row: it may be missing for all rows of now, and be made a minute later. */
const isPartitionMissing = (error: unknown): boolean =>
  sqlState(error) === '23514' && (error as { routine?: unknown }).routine === 'ExecFindPartition'

/** The data of a single item were refused, and are refused whenever it is tried. */
export const isRefusedForGood = (error: unknown): boolean => isDataFailure(error) && !isPartitionMissing(error)

/** Serialization failure and deadlock: nothing was committed, and the same work may pass at once. */
export function isConflict(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40001' || state === '40P01'
}

/** The server takes no writes: after a failover the old one goes on as a standby, and connections to it are to be given up. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006'

/**
 * The server ended the work because it took too long (statement, transaction) or waited too long for a lock; an operator's cancel has the
 * same code. The work may be large, or the database slow just now: it says nothing against the data.
 */
const isTimeLimit = (error: unknown): boolean => ['57014', '25P04', '55P03'].includes(sqlState(error) ?? '')

/** One piece of work took longer than the server, or our own limit, lets it: less of it may pass. */
export function isTooSlow(error: unknown): boolean {
  // 25P03: this process was too slow between two statements.
  if (isTimeLimit(error) || sqlState(error) === '25P03') return true
  return error instanceof Error && sqlState(error) === null && error.message === 'Query read timeout'
}

/**
 * The server is away, going, full, read-only or too slow; trying again later helps. Whether a commit in flight was done is not known, so
 * only work that may be done twice is repeated.
 */
export function isOutage(error: unknown): boolean {
  const state = sqlState(error)
  // 25P03: we were too slow, and the server has ended our connection and rolled back.
  if (state !== null) return /^(08|53|57P|58|25P03)/.test(state) || isReadOnly(error) || isTimeLimit(error)
  // Bugs have words of every kind; what says that the server is away is a plain error of the driver, or of a socket.
  if (!(error instanceof Error) || isBug(error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return /^(E[A-Z]+)$/.test(code) || /terminated|timeout|Connection|not queryable|ended/i.test(error.message)
}

/** An outage of the server itself, and not of one piece of work that took longer than it may: the same fails for everybody. */
export const isAway = (error: unknown): boolean => isOutage(error) && !isTimeLimit(error)

const isBug = (error: Error): boolean =>
  error.message.startsWith('bug: ') || [TypeError, RangeError, SyntaxError, ReferenceError].some((kind) => error instanceof kind)

const framesMax = 5

/**
 * What the log may say of an error that somebody's data may have led to: its kind and where it happened. Not its message: PostgreSQL and
 * the parser of JSON quote the data that they refuse.
 */
export function faultWords(error: unknown): string {
  if (!(error instanceof Error)) return 'what was thrown is no error'
  if (isOutage(error) || isConflict(error)) return error.message
  const told = error as Error & { routine?: unknown; table?: unknown; column?: unknown; constraint?: unknown }
  const state = sqlState(error)
  if (state !== null) {
    const places = [told.routine, told.table, told.column, told.constraint].filter((each) => typeof each === 'string')
    return [`SQLSTATE ${state}`, ...places].join(', ')
  }
  const stack = error.stack ?? ''
  const frames = stack
    .slice(stack.indexOf(error.message) + error.message.length)
    .split('\n')
    .filter((line) => /^ +at /.test(line))
  return [error.name, ...frames.slice(0, framesMax).map((line) => line.trim())].join('\n')
}
