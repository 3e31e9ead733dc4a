import type { Clock } from '../base/clock.ts'
import { type Refusal, refusal } from '../base/refusal.ts'
import { ConfigProblems, type Environment, readConfig } from '../config.ts'
import { DataDirectoryError } from '../platform/database/bundled/data-directory-error.ts'
import { MigrationMismatch } from '../platform/database/migrate.ts'
import { errorBody } from '../platform/http/answer.ts'
import { newRequestId } from '../platform/http/request-id.ts'
import { WrongSecretKey } from '../secret-key-check.ts'
import { accountCommands } from './account.ts'
import { readArguments } from './arguments.ts'
import { CannotRun } from './cannot-run.ts'
import { channelCommands } from './channel.ts'
import type { Command, Context } from './command.ts'
import { databaseCommands } from './database.ts'
import { doctorCommands } from './doctor.ts'
import { overview, usage } from './help.ts'
import { keyCommands } from './key.ts'
import { listenCommands } from './listen.ts'
import { noticesCommands } from './notices.ts'
import { openConfigured } from './open-database.ts'
import { planCommands } from './plan.ts'
import type { SecretInput } from './secret-input.ts'
import { userCommands } from './user.ts'

export type Tool = {
  argv: readonly string[]
  env: Environment
  clock: Clock
  secrets: SecretInput
  write: (line: string) => void
  note: (line: string) => void
}

const commands: readonly Command[] = [
  ...accountCommands,
  ...planCommands,
  ...keyCommands,
  ...userCommands,
  ...channelCommands,
  ...noticesCommands,
  ...listenCommands,
  ...databaseCommands,
  ...doctorCommands,
]

/** Runs one command and answers the exit code: 0, or 1 when it was refused or something is wrong. Never throws. */
export async function runTool(tool: Tool): Promise<0 | 1> {
  const json = tool.argv.includes('--json')
  const help = tool.argv.length === 0 || tool.argv.includes('--help')
  const command = commands.find(({ name }) => name === tool.argv.slice(0, name.split(' ').length).join(' '))
  if (command === undefined) {
    if (!help || (tool.argv[0] !== undefined && tool.argv[0] !== '--help')) return fail(tool, json, unknownCommand(tool.argv))
    tool.write(overview(commands))
    return 0
  }
  if (help) {
    tool.write(usage(command))
    return 0
  }
  return run(tool, command, json)
}

async function run(tool: Tool, command: Command, json: boolean): Promise<0 | 1> {
  const given = readArguments(command, tool.argv.slice(command.name.split(' ').length))
  if (!given.ok) return fail(tool, json, given.refusal)
  try {
    const result = await command.run(contextOf(tool, json), given.value)
    if (result === null) return 0
    if (!result.ok) return fail(tool, json, result.refusal)
    tool.write(json ? JSON.stringify(result.value.json) : result.value.text)
    return result.value.failed === true ? 1 : 0
  } catch (error) {
    return fail(tool, json, refusalOf(error))
  }
}

function contextOf(tool: Tool, json: boolean): Context {
  const config = () => readConfig(tool.env)
  return {
    ...tool,
    json,
    config,
    async withDatabase(work) {
      const opened = await openConfigured(config(), tool.clock)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    },
  }
}

function fail(tool: Tool, json: boolean, reason: Refusal): 1 {
  if (json) tool.write(errorBody(reason, newRequestId(tool.clock.now())))
  else tool.note(reason.message)
  return 1
}

function unknownCommand(argv: readonly string[]): Refusal {
  const words = argv.filter((each) => !each.startsWith('-')).slice(0, 2)
  const near = commands.filter(({ name }) => name.split(' ')[0] === words[0]).map(({ name }) => name)
  const advice = near.length > 0 ? `Known are ${near.join(', ')}.` : 'See --help for all commands.'
  return refusal('invalid_request', `There is no command ${JSON.stringify(words.join(' '))}. ${advice}`)
}

/** What was thrown, in words for the operator. */
function refusalOf(error: unknown): Refusal {
  if (error instanceof ConfigProblems)
    return refusal(
      'invalid_request',
      `The configuration is wrong:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}`,
      error.problems.map((problem) => ({ message: problem, field: problem.split(' ')[0] ?? '' })),
    )
  const message = error instanceof Error ? error.message : String(error)
  const known = [CannotRun, DataDirectoryError, MigrationMismatch, WrongSecretKey]
  if (known.some((kind) => error instanceof kind)) return refusal('conflict', message)
  return refusal('internal_error', `The command failed: ${message}. Run doctor to see what is wrong.`)
}
