import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { invalidField, type Refusal } from '../base/refusal.ts'
import { ok, type Result, refused } from '../base/result.ts'
import type { Environment } from '../config.ts'
import type { Arguments, Flag } from './arguments.ts'

/** Where secrets are read from that stand in no argument. */
export type SecretInput = {
  /** Asks at the terminal, and shows nothing of what is typed; null: there is no terminal. */
  ask: ((question: string) => Promise<string>) | null
  /** The next line of standard input; null: there is none. */
  line(): Promise<string | null>
}

/** A secret of a command: its flag, and what it is called where it is asked for. */
export type SecretFlag = { name: string; value: string; meaning: string; question: string; required: boolean }

/** The flags by which it is given. */
export const flagsOf = ({ name, value, meaning }: SecretFlag): Flag[] => [
  {
    name,
    value,
    meaning: `${meaning} Better "-" (standard input), ${variableOf(name)}, or asked for: arguments stand in the shell's history.`,
  },
  { name: `${name}-file`, value: 'FILE', meaning: `The same, read from a file.` },
]

const variableOf = (name: string) => `POMBO_${name.toUpperCase()}`

/**
 * The secret: from its flag, its file, its variable, or asked for at the terminal where it is required. An argument is taken, with a warning:
 * everybody on the machine can see it. Null: it is not required and was not given.
 */
export async function readSecret(
  { env, note, secrets }: { env: Environment; note: (line: string) => void; secrets: SecretInput },
  given: Arguments,
  flag: SecretFlag,
): Promise<Result<string | null, Refusal>> {
  const { name, question, required } = flag
  const [text, file, variable] = [given.text(name), given.text(`${name}-file`), env[variableOf(name)]]
  if (text !== null && file !== null) return refused(invalidField(name, `Give --${name} or --${name}-file, not both.`))
  if (text === '-') return typed(name, await (secrets.ask?.(question) ?? secrets.line()))
  if (text !== null) {
    note(
      `The ${name} stands in the shell's history now, and others on this machine could see it: give it by --${name} - or --${name}-file.`,
    )
    return ok(text)
  }
  if (file !== null) return fromFile(name, file)
  if (variable !== undefined && variable !== '') return ok(variable)
  if (!required) return ok(null)
  return secrets.ask === null ? refused(invalidField(name, `The flag --${name} is missing.`)) : typed(name, await secrets.ask(question))
}

function typed(name: string, text: string | null): Result<string, Refusal> {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? refused(invalidField(name, `No ${name} was given.`)) : ok(trimmed)
}

async function fromFile(name: string, path: string): Promise<Result<string, Refusal>> {
  const text = await readFile(path, 'utf8').catch(() => null)
  return text === null ? refused(invalidField(`${name}-file`, `The file ${path} cannot be read.`)) : typed(name, text)
}

/** The terminal and the standard input of this process. */
export function processSecrets(input: NodeJS.ReadStream, output: NodeJS.WriteStream): SecretInput {
  let lines: AsyncIterator<string> | null = null
  return {
    ask: input.isTTY ? (question) => askUnseen(input, output, question) : null,
    async line() {
      lines ??= createInterface({ input })[Symbol.asyncIterator]()
      const next = await lines.next()
      return next.done === true ? null : next.value
    },
  }
}

function askUnseen(input: NodeJS.ReadStream, output: NodeJS.WriteStream, question: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input, output: unseen, terminal: true })
  output.write(`${question}: `)
  return new Promise((resolve) => {
    let answer = ''
    reader.on('close', () => {
      output.write('\n')
      resolve(answer)
    })
    reader.question('', (text) => {
      answer = text
      reader.close()
    })
  })
}
