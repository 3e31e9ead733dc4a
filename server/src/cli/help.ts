import { commonFlags } from './arguments.ts'
import type { Command } from './command.ts'
import { table } from './layout.ts'

const call = 'npm run pombo --'

/** All commands with a line each. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map((command) => [`  ${synopsis(command)}`, command.meaning])
  return [
    "The operator's tool of Pombo. It reads the same environment as the gateway and talks to its database.",
    '',
    table([`${call} COMMAND`, ''], rows, ''),
    '',
    `${call} COMMAND --help says more about one. --json on each prints one JSON object.`,
  ].join('\n')
}

/** One command with its flags. */
export function usage(command: Command): string {
  const flags = [...command.flags, ...commonFlags].map((flag) => [
    `  --${flag.name}${flag.value === null ? '' : ` ${flag.value}`}`,
    flag.meaning,
  ])
  return [command.meaning, '', table([`${call} ${synopsis(command)} [flags]`, ''], flags, '')].join('\n')
}

const synopsis = (command: Command) => (command.argument === null ? command.name : `${command.name} ${command.argument}`)
