import { type Run, uuidOf, type Violation } from '../histories.ts'

/**
 * I2. However often a key is repeated, after whatever answer or none, there is one message, and every 202 names it. A send without a key is asked for once:
 * it makes one message at most, and none when it was refused.
 */
export function onePerKey(run: Run): Violation[] {
  const messages = Map.groupBy(
    run.database.messages.filter((each) => each.direction === 'outbound'),
    (each) => each.reference ?? '',
  )
  const accepted = Map.groupBy(
    run.answers.filter((each) => each.status === 202),
    (each) => each.key,
  )
  const keys = new Set(run.requests.map((each) => each.key))
  const violations: Violation[] = []
  const broken = (what: string, evidence: unknown) => violations.push({ invariant: 'I2', what, evidence })
  for (const key of keys) {
    const made = messages.get(key) ?? []
    const ids = new Set((accepted.get(key) ?? []).map((each) => uuidOf(each.id ?? '')))
    if (made.length > 1) broken('One key made several messages.', { key, made })
    if (ids.size > 1) broken('The answers to one key name different messages.', { key, ids: [...ids] })
    if (ids.size === 1 && made.length === 0) broken('A key was answered 202 and made no message.', { key, ids: [...ids] })
  }
  const unkeyed = new Set(run.requests.filter((each) => !each.keyed).map((each) => each.key))
  for (const { key, status } of run.answers) {
    const refused = status !== null && status >= 400 && status < 500
    if (refused && unkeyed.has(key) && messages.has(key)) broken('A send without a key was refused and made a message.', messages.get(key))
  }
  for (const key of messages.keys()) if (!keys.has(key)) broken('There is a message that nobody asked for.', messages.get(key))
  return violations
}
