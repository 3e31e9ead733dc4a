import type { Observation } from '../../src/platform/observe/observation.ts'

/** Shorter words stand in a log by chance. */
const charsMin = 8

export type PrivateWords = {
  add(...words: readonly string[]): void
  /** Takes the recipient, the text and the name out of the body of a call. */
  addBody(body: unknown): void
  /** Throws when one of them stands in an observation. */
  check(observations: readonly Observation[]): void
}

/** Remembers what never may reach a log line: keys, tokens, secrets, phones and what people wrote. */
export function createPrivateWords(): PrivateWords {
  const known = new Set<string>()
  const add = (...words: readonly string[]) => {
    for (const word of words) if (word.length >= charsMin) known.add(word)
  }
  return {
    add,
    addBody(body) {
      if (typeof body !== 'object' || body === null) return
      const { to, text, contact_name: name } = body as { to?: unknown; text?: { body?: unknown } | null; contact_name?: unknown }
      for (const word of [to, text?.body, name]) if (typeof word === 'string') add(word)
    },
    check(observations) {
      const text = JSON.stringify(observations)
      for (const word of known) {
        if (text.includes(JSON.stringify(word).slice(1, -1))) throw new Error(`an observation holds something private: ${word}`)
      }
    },
  }
}
