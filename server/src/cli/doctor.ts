import type { Clock } from '../base/clock.ts'
import { ok } from '../base/result.ts'
import { type Config, ConfigProblems } from '../config.ts'
import { type Check, fine, problem } from './check.ts'
import { checkChannels } from './check-channels.ts'
import { checkDatabase } from './check-database.ts'
import { checkDataDirectory, checkDisk, checkGateway, checkUpstream } from './check-machine.ts'
import { checkNotices } from './check-notices.ts'
import type { Command, Context } from './command.ts'

export const doctorCommands: readonly Command[] = [
  {
    name: 'doctor',
    meaning: 'Check every part and say what to do.',
    argument: null,
    flags: [],
    async run(context) {
      const checks = await examine(context)
      const wrong = checks.filter((check) => !check.ok).length
      const closing = wrong === 0 ? 'Everything is as it should be.' : `${wrong} of ${checks.length} parts need you.`
      return ok({
        json: { object: 'doctor', ok: wrong === 0, checks },
        text: [...checks.map(line), '', closing].join('\n'),
        failed: wrong > 0,
      })
    },
  },
]

async function examine(context: Context): Promise<Check[]> {
  const read = readConfiguration(context)
  if (!('config' in read)) return read
  const { config } = read
  const { clock } = context
  return [
    fine('configuration', `The settings are valid; the upstream is ${config.upstream}.`),
    checkUpstream(config),
    await guarded('data directory', () => checkDataDirectory(config)),
    await guarded('disk', () => checkDisk(config)),
    await guarded('gateway', () => checkGateway(config)),
    ...(await databaseParts(config, clock)),
  ]
}

function readConfiguration(context: Context): { config: Config } | Check[] {
  try {
    return { config: context.config() }
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error
    return error.problems.map((each) =>
      problem('configuration', each, 'See docs/configuration.md. The other parts are checked once the settings are valid.'),
    )
  }
}

async function databaseParts(config: Config, clock: Clock): Promise<Check[]> {
  const { checks, opened } = await checkDatabase(config, clock)
  if (opened === null) return checks
  try {
    if (!checks.every((check) => check.ok)) return checks
    return [...checks, await checkNotices(opened.database, clock), ...(await checkChannels({ config, clock, opened }))]
  } finally {
    await opened.close()
  }
}

/** A check that itself fails is a finding, and not the end of the examination. */
async function guarded(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check()
  } catch (error) {
    return problem(name, error instanceof Error ? error.message : String(error), 'Put this right and run doctor again.')
  }
}

function line({ name, ok, message, advice }: Check): string {
  const found = `${ok ? 'ok      ' : 'PROBLEM '} ${name.padEnd(15)} ${message}`
  return advice === null ? found : `${found}\n${' '.repeat(25)}→ ${advice}`
}
