/**
 * Why the bundled server cannot run on a data directory.
 *
 * - `in_use`: another gateway, or a server of another container, holds it.
 * - `other_major_version`: the data was written by another major version of PostgreSQL.
 * - `not_ours`: there are files, but no PostgreSQL data.
 * - `cannot_run`: this system does not let the server run or reach its data.
 */
type DataDirectoryProblem = 'in_use' | 'other_major_version' | 'not_ours' | 'cannot_run'

/** Thrown for what an operator must put right. The message is for the terminal: plain sentences, the last one says what to do. */
export class DataDirectoryError extends Error {
  readonly code: DataDirectoryProblem

  constructor(code: DataDirectoryProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DataDirectoryError'
    this.code = code
  }
}
