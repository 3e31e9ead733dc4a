import { isObject, type Json, textOrDigits } from '../../base/json.ts'
import { wordsAt } from './string-at.ts'

/** `Padaria Aurora, Av. Paulista 1578 (-23.5614, -46.6559)`, of which any part may be missing; never empty. */
export function placeText(location: Json | undefined): string {
  const words = ['name', 'address'].flatMap((key) => wordsAt(location, key) ?? [])
  const place = placeOf(location)
  if (words.length === 0) return place ?? wordsAt(location, 'url') ?? '(location without a place)'
  return place === null ? words.join(', ') : `${words.join(', ')} (${place})`
}

/** Half a place is none. */
function placeOf(location: Json | undefined): string | null {
  const [latitude, longitude] = isObject(location) ? [location.latitude, location.longitude].map(textOrDigits) : []
  return latitude && longitude ? `${latitude}, ${longitude}` : null
}

/** `Ana Lima (+55 11 98765-4321); Bia Souza`; never empty. */
export function cardsText(cards: Json | undefined): string {
  const listed = Array.isArray(cards) ? cards.map(cardText) : []
  return listed.length === 0 ? nameless : listed.join('; ')
}

const nameless = '(contact without a name)'

/** Who it is by the best name that the card has, with the number. */
function cardText(card: Json): string {
  const number = firstOf(card, 'phones', ['phone', 'wa_id'])
  const name = nameOf(card) ?? firstOf(card, 'emails', ['email']) ?? firstOf(card, 'urls', ['url'])
  if (name === null) return number ?? nameless
  return number === null ? name : `${name} (${number})`
}

function nameOf(card: Json): string | null {
  if (!isObject(card)) return null
  const parts = ['prefix', 'first_name', 'middle_name', 'last_name', 'suffix'].flatMap((key) => wordsAt(card.name, key) ?? [])
  const ofParts = parts.length === 0 ? null : parts.join(' ')
  return wordsAt(card.name, 'formatted_name') ?? ofParts ?? wordsAt(card.org, 'company') ?? nameOfVcard(card)
}

/** The formatted name of a vCard, with its escapes undone. */
function nameOfVcard(card: Json): string | null {
  const line = /^FN(?:;[^:\r\n]*)?:(.*)$/im.exec(wordsAt(card, 'vcard') ?? '')?.[1] ?? ''
  const name = line.replaceAll(/\\(?=[,;\\])/g, '').trim()
  return name === '' ? null : name
}

/** The first text under any of these keys in a list of the card. */
function firstOf(card: Json, list: string, keys: readonly string[]): string | null {
  const items = isObject(card) && Array.isArray(card[list]) ? card[list] : []
  for (const item of items) for (const key of keys) if (wordsAt(item, key) !== null) return wordsAt(item, key)
  return null
}
