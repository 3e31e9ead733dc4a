/** One or two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    [...(word ?? '')].find((char) => /[\p{L}\p{N}]/u.test(char)),
  )
  return letters.join('').toUpperCase()
}

/** Colors that go with a name, always the same, and that can be read on each other in light and dark. */
export function colorsOf(name: string): { background: string; color: string } {
  const hue = [...name].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 360, 7)
  return {
    background: `light-dark(hsl(${hue} 55% 90%), hsl(${hue} 30% 24%))`,
    color: `light-dark(hsl(${hue} 70% 24%), hsl(${hue} 55% 84%))`,
  }
}
