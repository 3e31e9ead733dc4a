import type { Clock } from '../base/clock.ts'
import type { JsonObject } from '../base/json.ts'
import type { Refusal } from '../base/refusal.ts'
import type { Result } from '../base/result.ts'
import type { Config, Environment } from '../config.ts'
import type { Arguments, Flag } from './arguments.ts'
import type { OpenedDatabase } from './open-database.ts'
import type { SecretInput } from './secret-input.ts'

/** What a command has to say: the resource itself for `--json`, and the same for a reader. `failed` makes the exit code 1. */
export type Output = { json: JsonObject; text: string; failed?: boolean }

export type Command = {
  /** The words that call it: `account create`. */
  name: string
  meaning: string
  /** What its one argument is called in the help, in brackets where it may be left out; null: it takes none. */
  argument: string | null
  flags: readonly Flag[]
  /** Null: it has said everything itself. */
  run(context: Context, given: Arguments): Promise<Result<Output, Refusal> | null>
}

/** What a command may use. */
export type Context = {
  env: Environment
  clock: Clock
  /** Output is for a program. */
  json: boolean
  /** Throws `ConfigProblems`. */
  config(): Config
  /** Opens the database for as long as `work` runs. */
  withDatabase<Value>(work: (opened: OpenedDatabase) => Promise<Value>): Promise<Value>
  /** Where secrets come from that stand in no argument. */
  secrets: SecretInput
  /** Writes a line to standard output. */
  write(line: string): void
  /** Writes a line that is not the result, to standard error. */
  note(line: string): void
}
