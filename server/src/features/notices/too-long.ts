import { isTooSlow } from '../../platform/database/failure.ts'

class TookTooLong extends Error {
  constructor(cause: unknown) {
    super('the work took too long, and the database ended it', { cause })
  }
}

/** The work was ended because it took too long, by PostgreSQL or by our own limit: less of it may pass, and it is nobody's fault. */
export function tookTooLong(error: unknown): boolean {
  return error instanceof TookTooLong || isTooSlow(error)
}

/** Work of a transaction that is not repeated as it is when it took too long: the next try is to be smaller. */
export async function smallerNextTime<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw tookTooLong(error) ? new TookTooLong(error) : error
  }
}
