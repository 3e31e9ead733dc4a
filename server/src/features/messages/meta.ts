import { isObject, type JsonObject, type JsonText, parseAnyJson } from '../../base/json.ts'
import { isMediaKind } from './kinds.ts'

/** What says who, when and to what; never what was said. */
const wordless = new Set([
  'from',
  'from_user_id',
  'from_parent_user_id',
  'to',
  'to_user_id',
  'id',
  'timestamp',
  'type',
  'context',
  'contact',
  'history_context',
])

/** rule: receive 11. The original object with these words in the place of its own; of a kind whose words have no known place, without any. */
export function metaWithText(meta: JsonText | null, kind: string, text: string | null): JsonText | null {
  const key = kind === 'text' ? 'body' : isMediaKind(kind) ? 'caption' : null
  if (key === null) return metaWithoutWords(meta)
  return changed(meta, (original) => {
    const content = isObject(original[kind]) ? original[kind] : {}
    const { [key]: _old, ...rest } = content
    return { ...original, [kind]: text === null ? rest : { ...rest, [key]: text } }
  })
}

/** rule: receive 11. The original object of a message that was deleted. */
export function metaWithoutWords(meta: JsonText | null): JsonText | null {
  return changed(meta, (original) => Object.fromEntries(Object.entries(original).filter(([key]) => wordless.has(key))))
}

function changed(meta: JsonText | null, change: (original: JsonObject) => JsonObject): JsonText | null {
  if (meta === null) return null
  const original = parseAnyJson(meta)
  return JSON.stringify(isObject(original) ? change(original) : {}) as JsonText
}
