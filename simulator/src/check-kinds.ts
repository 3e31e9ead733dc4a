import { checkInteractive } from './check-interactive.ts'
import type { GraphError } from './graph-error.ts'
import { graphError, parameterError } from './graph-error.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'

/** The refusal of the content of this kind, or null when the platform would take it. Deliberately shallow: the first fault found is the answer. */
export function checkKind(kind: string, body: JsonObject): GraphError | null {
  const check = CHECKS.get(kind)
  if (check === undefined) return parameterError(`Param type must be one of {${[...CHECKS.keys()].join(', ').toUpperCase()}}.`)
  const content = body[kind]
  if (content === undefined || content === null) return parameterError(`The parameter ${kind} is required.`)
  if (kind === 'contacts') return checkContacts(content)
  if (!isObject(content)) return parameterError(`Param ${kind} must be a JSON object.`)
  if (kind === 'reaction' && body.context !== undefined) return graphError(131009, 'context is not allowed on a reaction')
  return check(content)
}

const BODY_CHARACTERS_MAX = 4096
const CAPTION_CHARACTERS_MAX = 1024
const CARDS_MAX = 257

const CHECKS: ReadonlyMap<string, (content: JsonObject) => GraphError | null> = new Map([
  ['text', checkText],
  ['image', (content) => checkMedia('image', content)],
  ['audio', (content) => checkMedia('audio', content)],
  ['video', (content) => checkMedia('video', content)],
  ['document', (content) => checkMedia('document', content)],
  ['sticker', (content) => checkMedia('sticker', content)],
  ['location', checkLocation],
  ['contacts', checkContacts],
  ['reaction', checkReaction],
  ['template', checkTemplate],
  ['interactive', checkInteractive],
])

function checkText(text: JsonObject): GraphError | null {
  if (!isFilled(text.body)) return parameterError("The parameter text['body'] is required.")
  if (text.body.length > BODY_CHARACTERS_MAX)
    return parameterError(`Param text['body'] must be at most ${BODY_CHARACTERS_MAX} characters long.`)
  const preview = text.preview_url
  return preview === undefined || typeof preview === 'boolean' ? null : parameterError("Param text['preview_url'] must be a boolean.")
}

const CAPTIONED: readonly string[] = ['image', 'video', 'document']

function checkMedia(kind: string, media: JsonObject): GraphError | null {
  const id = media.id
  const link = media.link
  if (id === undefined && link === undefined) return graphError(131008, `${kind} needs one of id and link`)
  if (id !== undefined && link !== undefined) return graphError(131009, `${kind} takes only one of id and link`)
  if (id !== undefined && !/^\d{1,32}$/.test(String(id))) return graphError(131009, `${kind}.id is not a media id`)
  if (link !== undefined && !/^https?:\/\/\S+$/i.test(String(link))) return graphError(131009, `${kind}.link is not a valid URI`)
  const caption = media.caption
  if (caption === undefined) return null
  if (!CAPTIONED.includes(kind)) return parameterError(`Unexpected key "caption" on param "${kind}".`)
  if (typeof caption !== 'string' || caption.length > CAPTION_CHARACTERS_MAX) {
    return parameterError(`Param ${kind}['caption'] must be at most ${CAPTION_CHARACTERS_MAX} characters long.`)
  }
  return null
}

/** Numbers and texts that read as numbers are both taken: the platform's pages show the one, its users send the other. */
function checkLocation(location: JsonObject): GraphError | null {
  for (const [name, limit] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    const value = location[name]
    if (value === undefined || value === null || value === '') return graphError(131008, `location.${name} is required`)
    if (!(Math.abs(Number(value)) <= limit)) return graphError(131009, `location.${name} is not valid`)
  }
  return null
}

function checkContacts(cards: unknown): GraphError | null {
  if (!Array.isArray(cards) || cards.length === 0) return graphError(131008, 'contacts must hold at least one card')
  if (cards.length > CARDS_MAX) return graphError(131009, `contacts holds more than ${CARDS_MAX} cards`)
  for (const card of cards) {
    const name: unknown = isObject(card) ? card.name : undefined
    if (!isObject(name) || !isFilled(name.formatted_name)) return graphError(131008, 'contacts.name.formatted_name is required')
    const parts = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix']
    if (!parts.some((part) => isFilled(name[part]))) return graphError(131009, 'contacts.name needs one part besides formatted_name')
  }
  return null
}

function checkReaction(reaction: JsonObject): GraphError | null {
  if (!isFilled(reaction.message_id)) return graphError(131008, 'reaction.message_id is required')
  if (typeof reaction.emoji !== 'string') return graphError(131008, 'reaction.emoji is required')
  return reaction.emoji.length > 32 ? graphError(131009, 'reaction.emoji is not an emoji') : null
}

function checkTemplate(template: JsonObject): GraphError | null {
  if (!isFilled(template.name)) return graphError(131008, 'template.name is required')
  const language = template.language
  if (!isObject(language) || !isFilled(language.code)) return graphError(131008, 'template.language.code is required')
  const components = template.components ?? []
  if (!Array.isArray(components)) return parameterError("Param template['components'] must be an array.")
  for (const component of components) {
    const parameters: unknown = isObject(component) ? (component.parameters ?? []) : null
    if (!Array.isArray(parameters)) return parameterError("Param template['components'] must hold objects with a list of parameters.")
    const empty = parameters.some((each: unknown) => !isObject(each) || (each.type === 'text' && !isFilled(each.text)))
    if (empty) return graphError(131008, 'Parameter of type text is missing text value')
  }
  return null
}
