import { parseArgs } from 'node:util'
import { type IdPrefix, parseId, type Uuid } from '../base/id.ts'
import { invalidField, type Refusal, refusal } from '../base/refusal.ts'
import { ok, type Result, refused } from '../base/result.ts'

export type Flag = {
  name: string
  /** What stands for its value in the help; null: it has none. */
  value: string | null
  meaning: string
}

/** What a command takes, by its name: one argument (null: none; in brackets: it may be left out) and flags. */
type Takes = { name: string; argument: string | null; flags: readonly Flag[] }

/** What was given to a command. A flag that was not given is null, or false for one without a value. */
export type Arguments = {
  argument: string
  text(flag: string): string | null
  on(flag: string): boolean
}

/** Understood by every command. */
export const commonFlags: readonly Flag[] = [
  { name: 'json', value: null, meaning: 'Print one JSON object, and errors in the form of the API.' },
  { name: 'help', value: null, meaning: 'Say how the command is used.' },
]

type Given = { flags: Map<string, string | true>; words: string[] }

/** Reads what stands behind the command's name, or says which flag or argument is wrong. */
export function readArguments(command: Takes, rest: readonly string[]): Result<Arguments, Refusal> {
  const given = split([...command.flags, ...commonFlags], rest)
  if (!given.ok) return given
  const { flags, words } = given.value
  const [argument = '', ...surplus] = words
  if (command.argument !== null && !command.argument.startsWith('[') && argument === '')
    return refused(refusal('invalid_request', `${command.name} needs ${command.argument}.`))
  const unexpected = command.argument === null ? argument : (surplus[0] ?? '')
  if (unexpected !== '')
    return refused(refusal('invalid_request', `${command.name} does not know what to do with ${JSON.stringify(unexpected)}.`))
  const text = (flag: string) => {
    const value = flags.get(flag)
    return typeof value === 'string' ? value : null
  }
  return ok({ argument, text, on: (flag) => flags.has(flag) })
}

function split(known: readonly Flag[], rest: readonly string[]): Result<Given, Refusal> {
  const options = Object.fromEntries(
    known.map((flag) => [flag.name, { type: flag.value === null ? ('boolean' as const) : ('string' as const) }]),
  )
  // Not strict, so that the words about a mistake are ours.
  const { tokens } = parseArgs({ args: [...rest], options, strict: false, allowPositionals: true, tokens: true })
  const flags = new Map<string, string | true>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const wrong = wrongFlag(known, flags, token)
    if (wrong !== null) return refused(invalidField(token.name, wrong))
    flags.set(token.name, token.value ?? true)
  }
  return ok({ flags, words })
}

type OptionToken = { name: string; rawName: string; value: string | undefined; inlineValue: boolean | undefined }

function wrongFlag(
  known: readonly Flag[],
  seen: ReadonlyMap<string, unknown>,
  { name, rawName, value, inlineValue }: OptionToken,
): string | null {
  const flag = known.find((each) => each.name === name)
  if (flag === undefined || rawName !== `--${name}`)
    return `There is no flag ${rawName} here. Known are ${known.map((each) => `--${each.name}`).join(', ')}.`
  if (seen.has(name)) return `The flag --${name} is given twice.`
  if (flag.value === null) return value === undefined ? null : `The flag --${name} takes no value.`
  // "--name --plan x" would otherwise name an account "--plan".
  if (value === undefined || value === '' || (inlineValue !== true && value.startsWith('--')))
    return `The flag --${name} needs a value: --${name} ${flag.value}.`
  return null
}

/** The value of a flag that the command cannot do without. */
export function required(given: Arguments, flag: string): Result<string, Refusal> {
  const value = given.text(flag)
  return value === null ? refused(invalidField(flag, `The flag --${flag} is missing.`)) : ok(value)
}

/** An id of that kind; `field` names it when it is malformed. */
export function readId(prefix: IdPrefix, text: string, field: string): Result<Uuid, Refusal> {
  const id = parseId(prefix, text)
  return id === null ? refused(invalidField(field, `${JSON.stringify(text)} is not an id such as ${prefix}_0192….`)) : ok(id)
}

/** The id of the account that `--account` names. */
export function requiredAccount(given: Arguments): Result<Uuid, Refusal> {
  const text = required(given, 'account')
  return text.ok ? readId('acc', text.value, 'account') : text
}
