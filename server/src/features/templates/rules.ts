import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { limits } from '../../limits.ts'
import type { KnownCategory, Template } from './template.ts'

const wellFormedName = new RegExp(`^[a-z0-9_]{1,${limits.templateNameCharsMax}}$`)

/** Whether a template can have this name at all. */
export const isTemplateName = (text: string): boolean => wellFormedName.test(text)

/** A status by which upstream can filter; the others it refuses to be asked for. Source: Meta's own business SDK, October 2026. */
const filterable: readonly string[] = [
  'APPROVED',
  'DELETED',
  'DISABLED',
  'IN_APPEAL',
  'LIMIT_EXCEEDED',
  'PAUSED',
  'PENDING',
  'PENDING_DELETION',
  'REJECTED',
]

/** The status that upstream is asked to filter by; null: it gives all, and we look through them ourselves. */
export const upstreamFilter = (status: string): string | null => (filterable.includes(status.toUpperCase()) ? status : null)

/** Whether a template has this status, however it is written; null: any. */
export function hasStatus(template: Template, status: string | null): boolean {
  return status === null || template.status?.toUpperCase() === status.toUpperCase()
}

/**
 * rule: templates 5. Whether a template that was found is the one that was submitted: it has each of the components, with the same words.
 * Upstream may change the category, and add what was left out.
 */
export function isWhatWasSubmitted(components: readonly JsonObject[], found: Template): boolean {
  return components.every((asked) =>
    found.components.some((each) => sameType(each, asked) && (typeof asked.text !== 'string' || each.text === asked.text)),
  )
}

const sameType = (a: JsonObject, b: JsonObject) => String(a.type).toUpperCase() === String(b.type).toUpperCase()

/** The first of them that is no object: a number beyond 2^53 passes the schema as one. Null when all are. */
export function strangeComponent(components: readonly Json[]): number | null {
  const i = components.findIndex((each) => !isObject(each))
  return i < 0 ? null : i
}

const marketing = 'MARKETING'

/**
 * rule: templates 6, templates 7. The category that counts now; null: it must be read. A notice has whole seconds of another clock: until a read
 * of a minute later, one that tells of marketing counts, and any other one is no answer.
 */
export function categoryNow({ category, seenAt, told }: KnownCategory, now: Date): string | null {
  if (!isInDoubt({ seenAt, told })) return isFresh(seenAt, now) ? category : null
  return told?.category === marketing && isFresh(told.at, now) ? marketing : null
}

/** Whether a notice and our own reading are so close that nobody can say which was later. */
export const isInDoubt = ({ seenAt, told }: Pick<KnownCategory, 'seenAt' | 'told'>): boolean =>
  told !== null && seenAt.getTime() < told.at.getTime() + limits.templateDoubtMs

/** rule: templates 6. What counts while upstream cannot be asked: of what is in doubt that of marketing, which refuses more. */
export const categoryKnown = (known: KnownCategory): string =>
  isInDoubt(known) && known.told?.category === marketing ? marketing : known.category

const isFresh = (at: Date, now: Date): boolean => now.getTime() - at.getTime() < limits.templateCategoryMs
