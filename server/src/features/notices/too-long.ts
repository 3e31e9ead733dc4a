import { isTimeLimit, sqlState } from '../../platform/database/failure.ts'

/** The work was ended because it took too long, by PostgreSQL or by our own limit: less of it may pass, and it is nobody's fault. */
export function tookTooLong(error: unknown): boolean {
  // 25P03: this process was too slow between two statements.
  if (isTimeLimit(error) || sqlState(error) === '25P03') return true
  return error instanceof Error && sqlState(error) === null && error.message === 'Query read timeout'
}
