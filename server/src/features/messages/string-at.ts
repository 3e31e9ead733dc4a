import { isObject, type Json } from '../../base/json.ts'

/** The text under this key; null for none, for an empty one and for anything else. */
export function stringAt(value: Json | undefined, key: string): string | null {
  const found = isObject(value) ? value[key] : undefined
  return typeof found === 'string' && found !== '' ? found : null
}

/** The same, without the blanks around it; null for one of nothing but blanks. */
export function wordsAt(value: Json | undefined, key: string): string | null {
  const words = stringAt(value, key)?.trim() ?? ''
  return words === '' ? null : words
}
