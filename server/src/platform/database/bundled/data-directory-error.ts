import { OperatorError } from '../../../base/operator-error.ts'

/**
 * Why the bundled server cannot run on a data directory.
 *
 * - `in_use`: another gateway, or a server of another container, holds it.
 * - `other_major_version`: the data was written by another major version of PostgreSQL.
 * - `not_ours`: there are files, but no PostgreSQL data.
 * - `cannot_run`: this system does not let the server run or reach its data.
 */
type DataDirectoryProblem = 'in_use' | 'other_major_version' | 'not_ours' | 'cannot_run'

/** The bundled server cannot run on a data directory. */
export class DataDirectoryError extends OperatorError {
  readonly code: DataDirectoryProblem

  constructor(code: DataDirectoryProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DataDirectoryError'
    this.code = code
  }
}
