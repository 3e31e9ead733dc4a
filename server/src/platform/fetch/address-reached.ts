import { isIPv4, isIPv6 } from 'node:net'

/**
 * The addresses that a connection to this literal may really end at: the IPv4 addresses inside an IPv6 literal that carries some, else the literal
 * itself. Null for every other text, zone ids included: a zone names an interface of ours, which no stranger has any business with.
 */
export function addressesReached(literal: string): string[] | null {
  if (isIPv4(literal)) return [literal]
  if (!isIPv6(literal) || literal.includes('%')) return null
  const embedded = embeddedAddresses(wordsOf(literal))
  return embedded.length === 0 ? [literal] : embedded
}

/** The eight 16-bit words of a valid IPv6 literal; a dotted tail counts as two of them. */
function wordsOf(literal: string): number[] {
  const plain = literal.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((word) => word.toString(16)).join(':'),
  )
  const [head = '', tail = ''] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((word) => Number.parseInt(word, 16))
}

function embeddedAddresses(words: readonly number[]): string[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = words
  const zeroUpTo = (count: number) => words.slice(0, count).every((word) => word === 0)
  // `::` and `::1` are addresses of their own right, not the v4-compatible 0.0.0.0 and 0.0.0.1.
  if (zeroUpTo(7) && h <= 1) return []
  if (zeroUpTo(6)) return [dotted(g, h)] // v4-compatible
  if (zeroUpTo(5) && f === 0xffff) return [dotted(g, h)] // v4-mapped
  if (zeroUpTo(4) && e === 0xffff && f === 0) return [dotted(g, h)] // v4-translated
  if (a === 0x64 && b === 0xff9b && c <= 1 && d === 0 && e === 0 && f === 0) return [dotted(g, h)] // NAT64, both prefixes
  if (a === 0x2002) return [dotted(b, c)] // 6to4
  // Teredo carries its server, and its client with all bits turned round.
  if (a === 0x2001 && b === 0) return [dotted(c, d), dotted(g ^ 0xffff, h ^ 0xffff)]
  return []
}

function dotted(high: number, low: number): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}
