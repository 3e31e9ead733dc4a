import type { Tx } from './database.ts'
import { statement } from './statement.ts'

const savepoint = statement('savepoint_item', 'savepoint item')
const rollback = statement('rollback_item', 'rollback to savepoint item')
const release = statement('release_item', 'release savepoint item')

/**
 * Does work of which the transaction goes on when it fails: where `isItsOwn` says so of the error, what it wrote is undone. Throws what the
 * work threw; any other error leaves the transaction as it is, which is over.
 */
export async function inSavepoint<Value>(tx: Tx, work: () => Promise<Value>, isItsOwn: (error: unknown) => boolean): Promise<Value> {
  await tx.run(savepoint, [])
  try {
    const value = await work()
    await tx.run(release, [])
    return value
  } catch (error) {
    if (isItsOwn(error)) await tx.run(rollback, [])
    throw error
  }
}
