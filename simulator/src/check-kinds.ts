import { checkInteractive } from './check-interactive.ts'
import { checkMedia } from './check-media.ts'
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
  const strange = ['name', 'address'].find((name) => location[name] !== undefined && typeof location[name] !== 'string')
  return strange === undefined ? null : parameterError(`Param location['${strange}'] must be a string.`)
}

function checkContacts(cards: unknown): GraphError | null {
  if (!Array.isArray(cards) || cards.length === 0) return graphError(131008, 'contacts must hold at least one card')
  if (cards.length > CARDS_MAX) return graphError(131009, `contacts holds more than ${CARDS_MAX} cards`)
  for (const card of cards) {
    const refusal = checkCard(card)
    if (refusal !== null) return refusal
  }
  return null
}

const NAME_PARTS = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix']
const CARD_LISTS = ['phones', 'emails', 'urls', 'addresses']

function checkCard(card: unknown): GraphError | null {
  const name: unknown = isObject(card) ? card.name : undefined
  if (!isObject(card) || !isObject(name) || !isFilled(name.formatted_name))
    return graphError(131008, 'contacts.name.formatted_name is required')
  if (!NAME_PARTS.some((part) => isFilled(name[part]))) return graphError(131009, 'contacts.name needs one part besides formatted_name')
  for (const list of CARD_LISTS) {
    const entries = card[list] ?? []
    if (!Array.isArray(entries) || !entries.every(isObject)) return parameterError(`Param contacts['${list}'] must be a list of objects.`)
  }
  if (card.org !== undefined && !isObject(card.org)) return parameterError("Param contacts['org'] must be a JSON object.")
  const { birthday } = card
  const dated = birthday === undefined || (typeof birthday === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(birthday))
  return dated ? null : graphError(131009, 'contacts.birthday must be written as YYYY-MM-DD')
}

function checkReaction(reaction: JsonObject): GraphError | null {
  if (!isFilled(reaction.message_id)) return graphError(131008, 'reaction.message_id is required')
  if (typeof reaction.emoji !== 'string') return graphError(131008, 'reaction.emoji is required')
  // An empty one takes the reaction back.
  return reaction.emoji === '' || isEmoji(reaction.emoji) ? null : graphError(131009, 'reaction.emoji is not an emoji')
}

const graphemes = new Intl.Segmenter('en')

/** One picture, with or without what chooses its skin or joins it with others; a flag; a key. */
function isEmoji(text: string): boolean {
  return [...graphemes.segment(text)].length === 1 && /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text)
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
