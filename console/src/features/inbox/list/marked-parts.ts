/** A text, split where the words that were asked for stand, with or without their accents. Pure. */
export function markedParts(text: string, asked: string): { text: string; isHit: boolean }[] {
  const words = plain(asked)
    .split(/\s+/)
    .filter((word) => word.length > 1)
  if (words.length === 0) return [{ text, isHit: false }]
  // Letter by letter, so that places in the plain text are places in the text.
  const letters = [...text]
  const plainLetters = letters.map((letter) => plain(letter) || ' ')
  const places = plainLetters.flatMap((each, i) => Array.from(each, () => i))
  const whole = plainLetters.join('')
  const hits = new Set<number>()
  for (const word of words)
    for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length))
      for (let i = at; i < at + word.length; i += 1) hits.add(places[i] ?? 0)
  const parts: { text: string; isHit: boolean }[] = []
  for (const [i, letter] of letters.entries()) {
    const last = parts.at(-1)
    const isHit = hits.has(i)
    if (last !== undefined && last.isHit === isHit) last.text += letter
    else parts.push({ text: letter, isHit })
  }
  return parts
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
