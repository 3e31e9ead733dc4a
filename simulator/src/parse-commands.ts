import { isFilled, isObject, type JsonObject } from './json-value.ts'
import { healthyDetails, type NumberDetails, type NumberOptions } from './numbers.ts'
import { type Behaviour, defaultBehaviour } from './settings.ts'
import { healthyWaba, type WabaState } from './waba-fields.ts'

/** Reads a change of behaviour. A text in its place is the sentence that says what is wrong. */
export function parseBehaviour(value: unknown): Partial<Behaviour> | string {
  if (!isObject(value)) return 'Give an object.'
  for (const [key, given] of Object.entries(value)) {
    if (!Object.hasOwn(defaultBehaviour, key)) return `"${key}" is not known.`
    const wanted = wrongBehaviourValue(key as keyof Behaviour, given)
    if (wanted !== null) return `"${key}" must be ${wanted}.`
  }
  return value as Partial<Behaviour> // every key and value was just looked at
}

/** Reads a number that is to be added. */
export function parseNumber(value: unknown): NumberOptions | string {
  if (!isObject(value)) return 'Give an object.'
  const { phoneNumberId, wabaId, displayDigits, token, ...details } = value
  const digits = [phoneNumberId, wabaId, displayDigits].every((each) => typeof each === 'string' && /^\d+$/.test(each))
  if (!digits || !isFilled(token)) return 'Give phoneNumberId, wabaId and displayDigits in digits, and a token.'
  return wrongDetail(details) ?? (value as NumberOptions) // every key was just looked at
}

/** Reads a change of a number's state. */
export function parseNumberChange(value: unknown): Partial<NumberDetails & { token: string }> | string {
  if (!isObject(value)) return 'Give an object.'
  const { token, ...details } = value
  if (token !== undefined && !isFilled(token)) return '"token" must be a text.'
  return wrongDetail(details) ?? (value as Partial<NumberDetails>) // every key was just looked at
}

/** Reads a change of a WABA's state. */
export function parseWabaChange(value: unknown): Partial<WabaState> | string {
  if (!isObject(value)) return 'Give an object.'
  for (const [key, given] of Object.entries(value)) {
    if (!Object.hasOwn(healthyWaba, key)) return `"${key}" is not known.`
    const wanted = typeof healthyWaba[key as keyof WabaState]
    if (typeof given !== wanted) return `"${key}" must be a ${wanted}.`
  }
  return value as Partial<WabaState> // every key and value was just looked at
}

const CHOICES: { readonly [key: string]: readonly string[] } = {
  statusOrder: ['in-order', 'reversed', 'shuffled'],
  brazilNinthDigit: ['keep', 'drop'],
}
const STATUSES = ['sent', 'delivered', 'read', 'failed']

/** What the value must be, or null when it is. */
function wrongBehaviourValue(key: keyof Behaviour, given: unknown): string | null {
  if (key === 'statusDrop')
    return Array.isArray(given) && given.every((each) => STATUSES.includes(each)) ? null : `a list of ${STATUSES.join(', ')}`
  if (key === 'brokenLinks') return Array.isArray(given) && given.every(isFilled) ? null : 'a list of texts'
  const choices = CHOICES[key]
  if (choices !== undefined) return choices.includes(String(given)) ? null : `one of ${choices.join(', ')}`
  if (typeof defaultBehaviour[key] === 'boolean') return typeof given === 'boolean' ? null : 'true or false'
  return Number.isInteger(given) && Number(given) >= 0 ? null : 'a whole number'
}

function wrongDetail(details: JsonObject): string | null {
  for (const [key, given] of Object.entries(details)) {
    if (!Object.hasOwn(healthyDetails, key)) return `"${key}" is not known.`
    const example = EXAMPLES[key] ?? healthyDetails[key as keyof NumberDetails]
    const empty = given === null && EXAMPLES[key] !== undefined
    if (!empty && typeof given !== typeof example) return `"${key}" must be a ${typeof example}.`
  }
  return null
}

/** The details that may be null, each with a value that shows its type. */
const EXAMPLES: { readonly [key: string]: unknown } = { pin: '123456', throughputPerSecond: 80 }
