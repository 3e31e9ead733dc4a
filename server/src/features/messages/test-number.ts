import type { Digits } from '../../base/phone.ts'

/** What becomes of a test send, chosen by the last six digits of its recipient. */
export type TestCourse =
  | { kind: 'read' }
  | { kind: 'stays_sent' }
  | { kind: 'stays_delivered' }
  | { kind: 'answered' }
  | { kind: 'out_of_order' }
  | { kind: 'window_closed' }
  | { kind: 'expires' }
  /** Upstream's answer to the send: queued → failed. */
  | { kind: 'refused'; code: number; message: string }
  /** Upstream's notice after a 200: queued → sent → failed. */
  | { kind: 'fails_later'; code: number; message: string }

/** rule: test 3 */
export function testCourse(digits: Digits | null): TestCourse {
  const ending = digits?.slice(-6) ?? ''
  const known = endings[ending]
  if (known !== undefined) return known
  const later = toldByNotice[ending]
  if (later !== undefined) return { kind: 'fails_later', code: Number(ending), message: later }
  const atOnce = toldInAnswer[ending]
  if (atOnce !== undefined) return { kind: 'refused', code: Number(ending), message: atOnce }
  return { kind: 'read' }
}

/** Each ending that means something, with what it means. */
export function testEndings(): Record<'courses' | 'inAnswer' | 'byNotice', readonly (readonly [ending: string, words: string])[]> {
  return {
    courses: Object.entries(endings).map(([ending, { kind }]) => [ending, courseWords[kind] ?? kind] as const),
    inAnswer: Object.entries(toldInAnswer),
    byNotice: Object.entries(toldByNotice),
  }
}

const courseWords: Partial<Record<TestCourse['kind'], string>> = {
  stays_sent: 'It stays `sent`.',
  stays_delivered: 'It stays `delivered`.',
  answered: 'It is read, and the person answers: `message.received`.',
  out_of_order: '`read` comes before `delivered`.',
  window_closed: 'The window is closed: 422 `outside_customer_service_window` for all but templates.',
  expires: 'It waits until it expires: `failed`, and nothing was sent.',
}

/** What upstream says with one of its codes. */
export const wordsOfCode = (code: number): string => toldByNotice[code] ?? toldInAnswer[code] ?? 'The platform gave no reason.'

const endings: { readonly [ending: string]: TestCourse } = {
  '000001': { kind: 'stays_sent' },
  '000002': { kind: 'stays_delivered' },
  '000003': { kind: 'answered' },
  '000004': { kind: 'out_of_order' },
  '000005': { kind: 'window_closed' },
  '000015': { kind: 'expires' },
}

/** Codes that upstream gives in a `failed` notice, or in both places. Source: the Cloud API's error tables, October 2026. */
const toldByNotice: { readonly [code: string]: string } = {
  '130403': 'The business has blocked this person.',
  '130429': 'The throughput of the number was reached.',
  '130472': "The person is part of the platform's marketing experiment.",
  '130497': 'The account may not message this country.',
  '131000': 'Something went wrong on the platform.',
  '131009': 'A parameter value is not valid.',
  '131016': 'The service was not available.',
  '131026': 'The message is undeliverable: the number may not use the messaging app.',
  '131031': 'The account is locked.',
  '131037': 'The display name is not approved.',
  '131042': 'There is a problem with the payment method of the account.',
  '131043': 'The message expired before it could be delivered.',
  '131044': 'The message could not be delivered in time.',
  '131045': 'The number is not registered properly.',
  '131047': 'More than 24 hours have passed since the person last wrote.',
  '131048': 'Too many messages of this number were reported as spam.',
  '131049': 'The message was not delivered to keep the ecosystem healthy.',
  '131050': 'The person stopped marketing messages of this business.',
  '131051': 'The type of message is not supported.',
  '131053': 'The file could not be taken in.',
  '131056': 'Too many messages to this person in a short time.',
  '131057': 'The account is in maintenance.',
  '131063': 'Marketing is switched off for this way of sending.',
  '131064': 'The account is limited after templates were put in the wrong category.',
  '132007': 'The content of the template breaks a policy.',
  '132015': 'The template is paused.',
  '132016': 'The template is disabled.',
  '132068': 'The flow is blocked.',
  '132069': 'The flow is throttled.',
  '134011': 'The terms for payments are not accepted.',
  '135000': 'The platform reports a user error.',
  '137000': 'The identity of the person has changed.',
}

/** Codes that upstream gives only in the answer to the send. */
const toldInAnswer: { readonly [code: string]: string } = {
  '131005': 'Access was denied.',
  '131008': 'A required parameter is missing.',
  '131020': 'The group is not valid.',
  '131021': 'The recipient is the sender.',
  '131030': 'The recipient is not on the list of allowed test numbers.',
  '131041': 'The group is not known.',
  '131055': 'The method is not allowed.',
  '131059': 'The cursor is not valid.',
  '131062': 'A user id cannot be used here.',
  '132000': 'The number of template parameters is wrong.',
  '132001': 'The template does not exist in this language or is not approved.',
  '132005': 'The filled-in text of the template is too long.',
  '132012': 'The format of a template parameter is wrong.',
  '132018': 'A template parameter is not valid.',
  '133000': 'An earlier deregistration failed.',
  '133004': 'The server is down.',
  '133005': 'The PIN does not match.',
  '133006': 'The number must be verified first.',
  '133008': 'The PIN was tried too often.',
  '133009': 'The PIN was tried too fast.',
  '133010': 'The number is not registered.',
  '133015': 'The number was deleted a moment ago.',
  '133016': 'The number was registered and deregistered too often.',
  '134100': 'Only marketing messages are allowed here.',
  '134101': 'The template is still being prepared.',
  '134102': 'The template is not available.',
}
