import type { GraphError } from './graph-error.ts'
import { graphError, parameterError } from './graph-error.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'

const CAPTION_CHARACTERS_MAX = 1024
const FILE_NAME_CHARACTERS_MAX = 240

/** Which words may stand beside the file itself. */
const WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['image', ['caption']],
  ['video', ['caption']],
  ['document', ['caption', 'filename']],
  ['audio', ['voice']],
  ['sticker', []],
])

/** The refusal of a file as it is written in a send, or null. Whether its id or its link leads anywhere is not looked at. */
export function checkMedia(kind: string, media: JsonObject): GraphError | null {
  return checkSource(kind, media) ?? checkWords(kind, media)
}

/** The refusal of a file that says only where it is, as in a header: exactly one of id and link. */
export function checkSource(where: string, media: JsonObject): GraphError | null {
  const { id, link } = media
  if (id === undefined && link === undefined) return graphError(131008, `${where} needs one of id and link`)
  if (id !== undefined && link !== undefined) return graphError(131009, `${where} takes only one of id and link`)
  if (id !== undefined && !/^\d{1,32}$/.test(String(id))) return graphError(131009, `${where}.id is not a media id`)
  if (link !== undefined && !/^https?:\/\/\S+$/i.test(String(link))) return graphError(131009, `${where}.link is not a valid URI`)
  return null
}

function checkWords(kind: string, media: JsonObject): GraphError | null {
  const words = WORDS.get(kind) ?? []
  const strange = Object.keys(media).find((key) => !['id', 'link', 'provider', ...words].includes(key))
  if (strange !== undefined) return parameterError(`Unexpected key "${strange}" on param "${kind}".`)
  const { caption, filename, voice } = media
  if (caption !== undefined && !(typeof caption === 'string' && caption.length <= CAPTION_CHARACTERS_MAX))
    return parameterError(`Param ${kind}['caption'] must be at most ${CAPTION_CHARACTERS_MAX} characters long.`)
  if (filename !== undefined && !(isFilled(filename) && filename.length <= FILE_NAME_CHARACTERS_MAX))
    return parameterError(`Param ${kind}['filename'] must be 1 to ${FILE_NAME_CHARACTERS_MAX} characters long.`)
  return voice === undefined || typeof voice === 'boolean' ? null : parameterError(`Param ${kind}['voice'] must be a boolean.`)
}

/** A file that a send refers to, and as what. */
export type MediaReference = { kind: string; id: string | null; link: string | null }

const DEPTH_MAX = 12

/** Every file that a body refers to, wherever it stands: in the message itself, in a header, in a card, in a parameter of a template. */
export function mediaReferences(value: unknown, depth = 0): MediaReference[] {
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((each: unknown) => mediaReferences(each, depth + 1))
  if (!isObject(value)) return []
  const kind = String(value.type).toLowerCase()
  const media = WORDS.has(kind) ? value[kind] : undefined
  if (isObject(media)) return [{ kind, id: textOf(media.id), link: textOf(media.link) }]
  return Object.values(value).flatMap((each) => mediaReferences(each, depth + 1))
}

/** An id may be written as a number, which the platform takes. */
function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
