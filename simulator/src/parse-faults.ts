import { graphCalls } from './calls.ts'
import type { Fault, FaultRule } from './faults.ts'
import { isObject, type JsonObject } from './json-value.ts'

/** Reads a fault script that came as JSON. A text in place of the rules is the sentence that says what is wrong with it. */
export function parseFaultRules(value: unknown): FaultRule[] | string {
  const list: unknown = isObject(value) ? value.faults : value
  if (!Array.isArray(list)) return 'Give a list of rules, or an object with the list as "faults".'
  const rules: FaultRule[] = []
  for (const [i, each] of list.entries()) {
    const wrong = wrongWith(each)
    if (wrong !== null) return `Rule ${i}: ${wrong}`
    rules.push(each as FaultRule) // wrongWith has looked at every key
  }
  return rules
}

const RULE_KEYS = ['match', 'after', 'times', 'chance', 'fault']
const MATCH_KEYS = ['to', 'phoneNumberId', 'kind', 'call', 'id']
const CALL_MATCH_KEYS = ['call', 'id']

/** For each kind its own keys, with the type that each must have and whether it must be there. */
const FAULT_KEYS: { [Kind in Fault['kind']]: { [key: string]: 'number' | 'string' | 'boolean' | 'number!' } } = {
  'graph-error': { code: 'number!', status: 'number', message: 'string', details: 'string', accepted: 'boolean' },
  html: { status: 'number', accepted: 'boolean' },
  'too-many-requests': { retryAfterSeconds: 'number' },
  unreadable: { accepted: 'boolean' },
  truncated: {},
  altered: {},
  'accept-then-reset': {},
  'accept-then-hang': {},
  'reset-before-reading': {},
  slow: { delayMs: 'number!' },
  drop: {},
}

function wrongWith(rule: unknown): string | null {
  if (!isObject(rule)) return 'not an object.'
  const unknownKey = Object.keys(rule).find((key) => !RULE_KEYS.includes(key))
  if (unknownKey !== undefined) return `"${unknownKey}" is not a key of a rule.`
  const { after, times, chance, match = {} } = rule
  if (after !== undefined && !isCount(after)) return '"after" must be a whole number.'
  if (times !== undefined && times !== 'always' && !(isCount(times) && times > 0))
    return '"times" must be a whole number above 0, or "always".'
  if (chance !== undefined && !(typeof chance === 'number' && chance >= 0 && chance <= 1)) return '"chance" must be between 0 and 1.'
  if (!isObject(match)) return '"match" must be an object.'
  const strange = Object.entries(match).find(([key, value]) => !MATCH_KEYS.includes(key) || typeof value !== 'string')
  if (strange !== undefined) return `"match.${strange[0]}" is not known or not a text.`
  return wrongWithMatch(match) ?? wrongWithFault(rule.fault, match)
}

function wrongWithMatch(match: JsonObject): string | null {
  if (match.call === undefined) return match.id === undefined ? null : '"match.id" needs "match.call".'
  if (!graphCalls.some((call) => call === match.call)) return `"match.call" must be one of ${graphCalls.join(', ')}.`
  const strange = Object.keys(match).find((key) => !CALL_MATCH_KEYS.includes(key))
  return strange === undefined ? null : `"match.${strange}" does not go with "match.call".`
}

function wrongWithFault(fault: unknown, match: object): string | null {
  if (!isObject(fault)) return '"fault" is missing.'
  const kind = String(fault.kind)
  const keys = Object.hasOwn(FAULT_KEYS, kind) ? FAULT_KEYS[kind as Fault['kind']] : null
  if (keys === null) return `"fault.kind" must be one of ${Object.keys(FAULT_KEYS).join(', ')}.`
  for (const [key, value] of Object.entries(fault)) {
    if (key === 'kind') continue
    const wanted = keys[key]
    if (wanted === undefined) return `"fault.${key}" is not a key of ${kind}.`
    if (typeof value !== wanted.replace('!', '')) return `"fault.${key}" must be a ${wanted.replace('!', '')}.`
  }
  const absent = Object.keys(keys).find((key) => keys[key] === 'number!' && fault[key] === undefined)
  if (absent !== undefined) return `"fault.${absent}" is missing.`
  const early = kind === 'reset-before-reading' && ('to' in match || 'kind' in match)
  return early ? '"reset-before-reading" knows only the number: "match" may hold nothing but phoneNumberId.' : null
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0
}
