import { type GraphError, graphError, parameterError } from './graph-error.ts'
import { parseJson } from './json-value.ts'
import { templateFields } from './template-fields.ts'
import type { Template } from './templates.ts'

/** The query of a list, each value as it stood there. */
export type TemplateQuery = { readonly [key: string]: string | undefined }

type TemplatePage = { data: object[]; paging?: { cursors: { before: string; after: string }; next?: string; previous?: string } }

const PAGE_DEFAULT = 25
const PAGE_MAX = 100

const STATUSES = ['APPROVED', 'DELETED', 'DISABLED', 'IN_APPEAL', 'LIMIT_EXCEEDED', 'PAUSED', 'PENDING', 'PENDING_DELETION', 'REJECTED']

/** One page of those that the query asks for. `url` is the address that was called, without its query. */
export function listPage(all: readonly Template[], query: TemplateQuery, url: string): TemplatePage | GraphError {
  const statuses = choicesOf(query, 'status')
  const strange = statuses.find((each) => !STATUSES.includes(each.toUpperCase()))
  if (strange !== undefined) return parameterError(`Param status must be one of {${STATUSES.join(', ')}}.`)
  const found = all.filter((template) => fits(template, query, statuses))
  const limit = Math.min(PAGE_MAX, Math.max(1, Number(query.limit ?? PAGE_DEFAULT) || PAGE_DEFAULT))
  const window = windowOf(all, found, query, limit)
  if (window === null) return graphError(131059)
  const [from, until] = window
  const shown = found.slice(from, until)
  const data = shown.map((template) => templateFields(template, query.fields ?? null))
  const broken = data.find((each): each is GraphError => 'code' in each)
  if (broken !== undefined) return broken
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return { data }
  const cursors = { before: cursorOf(first), after: cursorOf(last) }
  return {
    data,
    paging: {
      cursors,
      ...(until < found.length ? { next: addressOf(url, query, 'after', cursors.after) } : {}),
      ...(from > 0 ? { previous: addressOf(url, query, 'before', cursors.before) } : {}),
    },
  }
}

/** By what a name contains, as the platform's own filter may do it: whoever wants an exact name compares again. */
function fits(template: Template, query: TemplateQuery, statuses: readonly string[]): boolean {
  const text = JSON.stringify(template.components)
  if (query.name !== undefined && !template.name.includes(query.name)) return false
  if (query.content !== undefined && !text.includes(query.content)) return false
  const either = query.name_or_content
  if (either !== undefined && !template.name.includes(either) && !text.includes(either)) return false
  return (
    isAmong(statuses, template.status) &&
    isAmong(choicesOf(query, 'category'), template.category) &&
    isAmong(choicesOf(query, 'language'), template.language) &&
    isAmong(choicesOf(query, 'quality_score'), template.qualityScore)
  )
}

const isAmong = (choices: readonly string[], value: string) =>
  choices.length === 0 || choices.some((each) => each.toUpperCase() === value.toUpperCase())

/** `status=approved`, `status=["APPROVED","PAUSED"]`, `status[]=APPROVED`, `status[0]=APPROVED`. */
function choicesOf(query: TemplateQuery, key: string): string[] {
  return Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || name.replace(/\[\d*\]$/, '') !== key) return []
    const list: unknown = value.startsWith('[') ? parseJson(value) : [value]
    return Array.isArray(list) ? list.map(String) : []
  })
}

/** From where to where the page goes; null for a cursor that leads nowhere any more, because its template is gone or it never was one. */
function windowOf(all: readonly Template[], found: readonly Template[], query: TemplateQuery, limit: number): [number, number] | null {
  const { after, before } = query
  const place = placeOf(after ?? before)
  if (place === null) return [0, limit]
  if (!all.some((template) => template.place === place)) return null
  const passed = found.filter((template) => template.place <= place).length
  if (after !== undefined) return [passed, passed + limit]
  const until = found.filter((template) => template.place < place).length
  return [Math.max(0, until - limit), until]
}

const cursorOf = (template: Template) => Buffer.from(`place:${template.place}`, 'latin1').toString('base64url')

/** Null for no cursor; NaN for what is none. */
function placeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null
  return Number(/^place:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1] ?? Number.NaN)
}

function addressOf(url: string, query: TemplateQuery, key: 'after' | 'before', cursor: string): string {
  const { after: _after, before: _before, ...rest } = query
  const search = new URLSearchParams(Object.entries(rest).map(([name, value]): [string, string] => [name, value ?? '']))
  search.set(key, cursor)
  return `${url}?${search.toString()}`
}
