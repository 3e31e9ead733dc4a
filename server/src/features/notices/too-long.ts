import { sqlState } from '../../platform/database/failure.ts'

/** Statement timeout, lock timeout, idle in a transaction, transaction timeout. */
const limits = new Set(['57014', '55P03', '25P03', '25P04'])

/** The work was ended because it took too long, by PostgreSQL or by our own limit: less of it may pass, and it is nobody's fault. */
export function tookTooLong(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== null) return limits.has(state)
  return error instanceof Error && error.message === 'Query read timeout'
}
