const endingCharsMax = 6

/** What kind of file it is, by the ending of its name, else by its type: `CSV`, `PDF`. Empty where neither says anything short. */
export function kindWords(name: string, mimeType: string | null): string {
  const ending = /\.([\p{L}\p{N}]+)$/u.exec(name.trim())?.[1]
  const type = mimeType?.split(';')[0]?.trim().split('/').at(-1) ?? ''
  const kind = ending ?? (type === 'plain' ? 'txt' : type)
  return kind.length > endingCharsMax ? '' : kind.toUpperCase()
}

const units = ['B', 'kB', 'MB', 'GB'] as const

/** `1.2 MB`, in the reader's way of writing numbers. */
export function sizeWords(bytes: number, language: string): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const amount = bytes / 1000 ** power
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: amount < 10 && power > 0 ? 1 : 0 }).format(amount)} ${units[power]}`
}
