import type { Random } from './random.ts'

/** Makes message ids: never the same twice in a run, and the same ones again with the same seed. */
export type WamidSource = { next(digits: string): string }

/**
 * Base64 of a small binary record, as the platform's ids are. Each one holds `+`, `/` and `=` on purpose: a program that puts an id into a
 * path or a query without encoding it is found out at once.
 */
export function createWamidSource(random: Random): WamidSource {
  const run = Buffer.from(Array.from({ length: 5 }, () => random.below(256)))
  let count = 0
  const next = (digits: string) => {
    count += 1
    const person = Buffer.from(digits, 'latin1')
    const bytes = Buffer.alloc(3 + person.length + padding(person.length) + UNUSUAL.length + run.length + 8)
    bytes.set([0x1c, 0x18, person.length & 0xff], 0)
    bytes.set(person, 3)
    let at = 3 + person.length + padding(person.length)
    bytes.set(UNUSUAL, at)
    at += UNUSUAL.length
    bytes.set(run, at)
    bytes.writeUIntBE(count, at + run.length, 6)
    return `wamid.${bytes.toString('base64')}`
  }
  return { next }
}

/** Reads `+/+/` when it starts at a multiple of three bytes. */
const UNUSUAL = Uint8Array.of(0xfb, 0xff, 0xbf)

function padding(length: number): number {
  return (3 - (length % 3)) % 3
}
