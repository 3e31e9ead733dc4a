import { expect, test } from 'vitest'
import { markedParts } from '../src/features/inbox/list/marked-parts.ts'
import { csvOf } from '../src/ui/download.ts'
import { initialsOf } from '../src/ui/initials.ts'
import { phoneWords } from '../src/ui/phone.ts'
import { fillIn, variablesIn } from '../src/ui/template-parts.ts'
import { piecesOf, withoutMarks } from '../src/ui/whatsapp-text.ts'

// Strangers write what these read. Counted is the time of this thread alone, in the quickest of some runs.

const filled = (chars: number, unit: string, end = '') => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars - end.length) + end

/** Texts whose parts begin something again and again, and never end it. */
const texts: Readonly<Record<string, (chars: number) => string>> = {
  'a link with an end that is none': (chars) => `https://a.b/${filled(chars - 12, '.', 'x')}`,
  'links in a link': (chars) => filled(chars, 'https://'),
  'links that lead nowhere': (chars) => filled(chars, 'https://%'),
  'short names': (chars) => filled(chars, 'www.'),
  'names behind stops': (chars) => filled(chars, 'www...,'),
  'marks that open': (chars) => filled(chars, ' *a'),
  'all marks that open': (chars) => filled(chars, ' *a _b ~c `d'),
  'marks within marks': (chars) => filled(chars, '*_~'),
  'marks that close nothing': (chars) => filled(chars, 'a* '),
  'blocks that open': (chars) => filled(chars, '``` '),
  'a block without an end': (chars) => `\`\`\`${filled(chars - 3, 'a``')}`,
  'variables that open': (chars) => filled(chars, '{{ a'),
  'a variable without an end': (chars) => `{{${filled(chars - 2, ' a')}`,
  blanks: (chars) => filled(chars, ' \t', 'x'),
  lines: (chars) => filled(chars, '\n*'),
  'marks above and below a letter': (chars) => filled(chars, '\u0301\u0323'),
  quotes: (chars) => filled(chars, '",\r\n'),
  digits: (chars) => filled(chars, '5511'),
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'the text of a message': piecesOf,
  'its preview': withoutMarks,
  'its mark of a search': (text) => markedParts(text, 'aa 55 www'),
  'a table': (text) => csvOf(['a'], [[text]]),
  'a name': initialsOf,
  'a phone': phoneWords,
  'the variables of a template': variablesIn,
  'a template with its variables': (text) => fillIn(text, { a: 'x' }),
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
