/** Letters that are not another one with a mark on it. */
const spelled: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ł: 'l', ı: 'i' }

/** What is typed as a name that the platform takes: small letters, digits and underscores, letters with accents without them. Pure. */
export function templateName(typed: string): string {
  return typed
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßæœøđłı]/g, (letter) => spelled[letter] ?? '')
    .replaceAll(/[\s-]/g, '_')
    .replaceAll(/[^a-z0-9_]/g, '')
}
