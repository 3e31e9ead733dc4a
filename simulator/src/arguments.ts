import { parseArgs } from 'node:util'
import type { NumberOptions } from './numbers.ts'
import type { SimulatorOptions } from './settings.ts'

/** What the command line asks for. */
export type Arguments = { options: SimulatorOptions; withParent: boolean; help: boolean }

/** How the program is called. */
export const usage = `pombo-simulator [options]

  --port N                 port to listen on; 0 (default) lets the system choose
  --host ADDRESS           address to listen on (127.0.0.1)
  --callback URL           where notices go; can be set later by POST /_sim/callback
  --app-secret TEXT        signs the notices; better SIMULATOR_APP_SECRET, which nobody else sees
  --verify-token TEXT      for the handshake; better SIMULATOR_VERIFY_TOKEN
  --number ID:WABA:DIGITS:TOKEN
                           a business number; repeat for more
  --subscribed             the WABAs of these numbers send notices from the start
  --throughput N           messages a second and number (80)
  --status-gap MS          time between the statuses of a message (100)
  --notice-batch N         statuses that one notice may carry (1)
  --answer-delay MS        time before each answer to a send (0)
  --record-max N           sends kept in memory (100000)
  --media-max BYTES        bytes of files kept in memory (268435456)
  --history FILE           append every send and notice to this file
  --faults JSON            a fault script
  --seed N                 repeat an earlier run
  --template-review MS     time until a new template is reviewed (1000); the ending of its name
                           chooses the outcome: _rejected, _pending, _paused, … (see README.md)
  --with-parent            end when standard input closes`

/** Reads the command line. Throws an Error whose message is for the person who typed it. */
export function readArguments(
  argv: readonly string[],
  parseFaults: (value: unknown) => SimulatorOptions['faults'] | string,
  env: Readonly<Record<string, string | undefined>> = {},
): Arguments {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS, strict: true })
  const numbers = (values.number ?? []).map((text) => readNumber(text, values.subscribed === true))
  const faults = values.faults === undefined ? [] : parseFaults(JSON.parse(values.faults))
  if (typeof faults === 'string') throw new Error(`--faults: ${faults}`)
  const appSecret = values['app-secret'] ?? env.SIMULATOR_APP_SECRET
  const verifyToken = values['verify-token'] ?? env.SIMULATOR_VERIFY_TOKEN
  const options: SimulatorOptions = {
    numbers,
    ...(faults === undefined ? {} : { faults }),
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(values.callback === undefined ? {} : { callbackUrl: readUrl(values.callback) }),
    ...(appSecret === undefined ? {} : { appSecret }),
    ...(verifyToken === undefined ? {} : { verifyToken }),
    ...(values.history === undefined ? {} : { historyFile: values.history }),
    ...readWholes(values),
  }
  return { options, withParent: values['with-parent'] === true, help: values.help === true }
}

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  callback: { type: 'string' },
  'app-secret': { type: 'string' },
  'verify-token': { type: 'string' },
  number: { type: 'string', multiple: true },
  subscribed: { type: 'boolean' },
  throughput: { type: 'string' },
  'status-gap': { type: 'string' },
  'notice-batch': { type: 'string' },
  'answer-delay': { type: 'string' },
  'record-max': { type: 'string' },
  'template-review': { type: 'string' },
  'media-max': { type: 'string' },
  history: { type: 'string' },
  faults: { type: 'string' },
  seed: { type: 'string' },
  'with-parent': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const WHOLES = {
  port: 'port',
  throughput: 'throughputPerSecond',
  'status-gap': 'statusGapMs',
  'notice-batch': 'noticeBatchMax',
  'answer-delay': 'answerDelayMs',
  'record-max': 'recordMax',
  'template-review': 'templateReviewMs',
  'media-max': 'mediaBytesMax',
  seed: 'seed',
} as const

function readWholes(values: { [Name in keyof typeof WHOLES]?: string | undefined }): SimulatorOptions {
  const read: { [Name in (typeof WHOLES)[keyof typeof WHOLES]]?: number } = {}
  for (const name of Object.keys(WHOLES) as (keyof typeof WHOLES)[]) {
    const text = values[name]
    if (text === undefined) continue
    if (!/^\d{1,10}$/.test(text)) throw new Error(`--${name} must be a whole number.`)
    read[WHOLES[name]] = Number(text)
  }
  return read
}

/** The token comes last and may itself hold colons. */
function readNumber(text: string, subscribed: boolean): NumberOptions {
  const match = /^(\d+):(\d+):(\d+):(.+)$/.exec(text)
  const [, phoneNumberId, wabaId, displayDigits, token] = match ?? []
  if (phoneNumberId === undefined || wabaId === undefined || displayDigits === undefined || token === undefined) {
    throw new Error('--number must be phoneNumberId:wabaId:displayDigits:token.')
  }
  return { phoneNumberId, wabaId, displayDigits, token, subscribed }
}

function readUrl(text: string): string {
  if (!URL.canParse(text)) throw new Error('--callback must be a URL.')
  return text
}
