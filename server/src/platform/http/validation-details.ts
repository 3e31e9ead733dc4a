import type { Detail, Reason } from '../../base/refusal.ts'
import { expectationOf, type SchemaFault } from './validation-words.ts'

/** More than this helps nobody; a body can hold thousands of mistakes. */
const detailsMax = 20

/** Each wrong field once, as a JSON path, with what is expected of it. */
export function detailsOf(faults: readonly SchemaFault[], part: string): Detail[] {
  const found: Found[] = []
  for (const fault of faults) {
    if (fault.keyword === 'anyOf' || fault.keyword === 'oneOf') joinBranches(found, fault)
    else if (fault.keyword !== 'if') found.push({ path: pathOf(fault), ...expectationOf(fault) })
  }
  const details: Detail[] = []
  const fields = new Set<string>()
  for (const { path, message, reason } of found) {
    const field = fieldOf(path)
    if (fields.has(field)) continue
    fields.add(field)
    details.push(field === '' ? { message: rootMessage(part, message), reason } : { field, message, reason })
    if (details.length === detailsMax) break
  }
  return details
}

type Found = { path: string; message: string; reason: Reason; types: readonly string[]; values: readonly unknown[] }

/**
 * A union that no branch fits reports every branch, then itself. What the caller wrote was meant for the branch that
 * got furthest: its faults stay. Where none got inside, the branches become one sentence: "must be a string or an object".
 */
function joinBranches(found: Found[], union: SchemaFault): void {
  const at = union.instancePath
  let start = found.length
  while (start > 0 && isWithin(found[start - 1]?.path ?? '', at)) start -= 1
  const branches = found.splice(start)
  const inside = branches.filter((each) => each.path !== at)
  if (inside.length > 0) {
    found.push(...inside)
    return
  }
  const types = [...new Set(branches.flatMap((each) => each.types))]
  const values = branches.flatMap((each) => each.values)
  found.push({ path: at, ...expectationOf({ ...union, keyword: 'union', params: { types, values, other: branches[0]?.message } }) })
}

const isWithin = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`)

/** A missing or unknown field is the wrong one itself, not the object that lacks or has it. */
function pathOf({ keyword, instancePath, params }: SchemaFault): string {
  const name = params.missingProperty ?? params.additionalProperty ?? (keyword === 'discriminator' ? params.tag : undefined)
  return name === undefined ? instancePath : `${instancePath}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** `/contacts/2/name` → `contacts[2].name`. */
function fieldOf(path: string): string {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((field, part) => (/^[0-9]+$/.test(part) && field !== '' ? `${field}[${part}]` : field === '' ? part : `${field}.${part}`), '')
}

const rootMessage = (part: string, message: string) => (part === 'body' ? `the body ${message}` : `the ${part} ${message}`)
