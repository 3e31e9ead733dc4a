/** A text, split where the words that were asked for stand, with or without their accents. Pure. */
export function markedParts(text: string, asked: string): { text: string; isHit: boolean }[] {
  const words = plain(asked)
    .split(/\s+/)
    .filter((word) => word.length > 1)
  if (words.length === 0) return [{ text, isHit: false }]
  // Letter by letter, so that places in the plain text are places in the text.
  const letters = [...text]
  const places: number[] = []
  const known = new Map<string, string>()
  let whole = ''
  for (const [i, letter] of letters.entries()) {
    const plainLetter = known.get(letter) ?? (plain(letter) || ' ')
    known.set(letter, plainLetter)
    whole += plainLetter
    for (let n = 0; n < plainLetter.length; n += 1) places.push(i)
  }
  const isHit = new Uint8Array(letters.length)
  for (const word of words)
    for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length))
      for (let i = at; i < at + word.length; i += 1) isHit[places[i] ?? 0] = 1
  return partsOf(letters, isHit)
}

function partsOf(letters: readonly string[], isHit: Uint8Array): { text: string; isHit: boolean }[] {
  const parts: { text: string; isHit: boolean }[] = []
  let from = 0
  for (let i = 1; i <= letters.length; i += 1) {
    if (i < letters.length && isHit[i] === isHit[from]) continue
    parts.push({ text: letters.slice(from, i).join(''), isHit: isHit[from] === 1 })
    from = i
  }
  return parts
}

const plain = (text: string) => text.replaceAll(/\p{M}/gu, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
