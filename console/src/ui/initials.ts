/** One or two letters that stand for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    [...(word ?? '')].find((char) => /[\p{L}\p{N}]/u.test(char)),
  )
  return letters.join('').toUpperCase()
}
