import { expect, test } from 'vitest'
import { withoutAccents } from '../../src/base/accents.ts'
import { parseEmail } from '../../src/base/email.ts'
import { parseJson, storableOf } from '../../src/base/json.ts'
import { parseDialled } from '../../src/base/national-phone.ts'
import { lacksCountryCode55, parsePhone } from '../../src/base/phone.ts'
import { isUri } from '../../src/base/uri.ts'
import { eventLine } from '../../src/cli/event-line.ts'
import { isUserId } from '../../src/features/contacts/contact.ts'
import { searchPatterns, searchWords } from '../../src/features/conversations/rules.ts'
import { parseMediaReference, plainName } from '../../src/features/media/media.ts'
import { wantedBytes } from '../../src/features/media/range.ts'
import { isOptOutWord } from '../../src/features/opt-outs/rules.ts'
import { checkUrl } from '../../src/platform/fetch/stranger-url.ts'
import { parseTime } from '../../src/platform/http/query.ts'
import { parseQuery } from '../../src/platform/http/query-text.ts'
import { shown } from '../../src/platform/observe/redact.ts'

// Strangers write what these read, and one event loop reads it for everybody. The quickest of some runs counts.

const filled = (chars: number, unit: string, end = '') => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars - end.length) + end

/** Texts whose parts begin something again and again, and never end it. */
const texts: Readonly<Record<string, (chars: number) => string>> = {
  'marks above and below a letter': (chars) => filled(chars, '\u0301\u0323'),
  'letters of several marks': (chars) => filled(chars, '\u01D6\u0323'),
  stops: (chars) => filled(chars, '.!', 'x'),
  blanks: (chars) => filled(chars, ' \t', 'x'),
  digits: (chars) => filled(chars, '5511987654321 '),
  'digits without an end': (chars) => filled(chars, '5'),
  'keys that begin': (chars) => filled(chars, 'svc_live_', ' '),
  'a word before blanks': (chars) => filled(chars, 'Bearer  '),
  addresses: (chars) => filled(chars, 'a@b.'),
  'signs of control': (chars) => filled(chars, '\u0001a'),
  'signs of a pattern': (chars) => filled(chars, '%_\\'),
  sigmas: (chars) => filled(chars, 'Σ.'),
  'one field again and again': (chars) => filled(chars, 'a&'),
  escapes: (chars) => filled(chars, '\\u0000'),
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'what is searched in': searchWords,
  'what is searched for': searchPatterns,
  'a word against marketing': isOptOutWord,
  'a text without accents': withoutAccents,
  'a phone': parsePhone,
  'a phone as a country writes it': (text) => parseDialled(text, '55'),
  'a phone without its country': lacksCountryCode55,
  'a query': parseQuery,
  'a URI': isUri,
  'a user id': isUserId,
  'an e-mail address': parseEmail,
  'a line of the log': shown,
  'an event in a terminal': (text) => eventLine({ type: text, data: { object: 'message', text } }, new Date(0), null),
  'a JSON text': (text) => parseJson(JSON.stringify({ text })),
  'a value that is to be stored': (text) => storableOf(JSON.stringify(text), text),
  'the type of a file': plainName,
  'the link of a file': (text) => parseMediaReference(text, ['https://files.example/files/']),
  'an address of a stranger': (text) => checkUrl(text, { protocols: ['https:'], charsMax: 2_048 } as never),
  'a time': parseTime,
  'a range of a file': (text) => wantedBytes(text, 100),
}

function quickestMs(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i += 1) {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

const msMax = 50
/** Below so many nothing can be said of growth: the reader may still be compiled. */
const noiseMs = 30

test.for(
  Object.entries(readers).flatMap(([reader, read]) => Object.entries(texts).map(([text, write]) => ({ reader, read, text, write }))),
)('$reader takes time that grows with its length: $text', ({ read, write }) => {
  const [small, middle, large] = [4_096, 16_384, 65_536].map((chars) => {
    const text = write(chars)
    return quickestMs(() => read(text))
  })
  expect(large).toBeLessThan(msMax)
  // Four times as much text, and as much again for noise.
  expect(large).toBeLessThan(8 * (middle ?? 0) + noiseMs)
  expect(middle).toBeLessThan(8 * (small ?? 0) + noiseMs)
})
