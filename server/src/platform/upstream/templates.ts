import type { Clock } from '../../base/clock.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { type Graph, memberOf } from './graph.ts'
import { askUpstream, tellUpstream, type UpstreamFailure } from './manage.ts'

/** A template as upstream answers it, in its own words; null: the field was not answered. */
export type TemplateFields = {
  id: string | null
  name: string | null
  language: string | null
  status: string | null
  category: string | null
  subCategory: string | null
  parameterFormat: string | null
  qualityScore: string | null
  rejectedReason: string | null
  /** Digit for digit. */
  components: JsonObject[]
}

/** A business account of upstream, and a token that may manage its templates. */
export type WabaCall = { token: string; wabaId: string }

/** Which templates are asked for; null: any. Upstream may answer more than was meant: whoever wants exactly these compares again. */
export type TemplateFilter = { status: string | null; name: string | null }

/** `next` is the cursor of the page that follows; null on the last one. */
export type TemplatePage = { templates: TemplateFields[]; next: string | null }

type PageCall = WabaCall & { filter: TemplateFilter; after: string | null; deadlineMs?: number }

const fields = 'id,name,language,status,category,sub_category,parameter_format,quality_score,rejected_reason,components'

/** As many as upstream gives by itself. A template has up to some 30 kB, and an answer of more than 1 MB is not read. */
const pageSize = 25

/** One page, in upstream's order. */
export async function listTemplates(graph: Graph, call: PageCall): Promise<Result<TemplatePage, UpstreamFailure>> {
  const { status, name } = call.filter
  const asked = { fields, limit: String(pageSize), status: status?.toLowerCase(), name, after: call.after }
  const given = Object.entries(asked).filter((each): each is [string, string] => typeof each[1] === 'string')
  const path = `${pathOf(call)}?${new URLSearchParams(given).toString()}`
  const deadline = call.deadlineMs === undefined ? {} : { deadlineMs: call.deadlineMs }
  const answer = await askUpstream(graph, { method: 'GET', path, token: call.token, ...deadline })
  return answer.ok ? readPage(answer.value) : answer
}

/** A walk through more pages than this has lost its way: 2,000 templates whose names hold one name. */
const pagesMax = 80
const staleCursorCode = 131059

/**
 * Every template of exactly this name, in all languages or in one, following upstream's cursors for at most `deadlineMs` in all. A cursor
 * that became stale on the way starts the walk again, once.
 */
export async function findTemplates(
  { graph, clock }: { graph: Graph; clock: Clock },
  call: WabaCall & { name: string; language: string | null; deadlineMs: number },
): Promise<Result<TemplateFields[], UpstreamFailure>> {
  const endsAt = clock.monotonicMs() + call.deadlineMs
  // Not by language: upstream takes a list of those that it knows, and would refuse a wrong one instead of finding nothing.
  const filter = { status: null, name: call.name }
  let found: TemplateFields[] = []
  let after: string | null = null
  let restarted = false
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const deadlineMs = endsAt - clock.monotonicMs()
    if (deadlineMs <= 0) return refused({ reached: false, code: null, message: 'timeout' })
    const page: Result<TemplatePage, UpstreamFailure> = await listTemplates(graph, { ...call, filter, after, deadlineMs })
    if (!page.ok && page.refusal.code === staleCursorCode && after !== null && !restarted) {
      found = []
      after = null
      restarted = true
      continue
    }
    if (!page.ok) return page
    found.push(...page.value.templates.filter((each) => isNamed(each, call)))
    after = page.value.next
    if (after === null) return ok(found)
  }
  return refused({ reached: true, code: null, message: 'It gave more pages of templates than can be.' })
}

/** rule: templates 2. Upstream's own filter also finds names that only hold the name. */
function isNamed(template: TemplateFields, wanted: { name: string; language: string | null }): boolean {
  return template.name === wanted.name && (wanted.language === null || template.language === wanted.language)
}

export type CreatedTemplate = Pick<TemplateFields, 'id' | 'status' | 'category'>

/** Submits a template for review. `body` is JSON text and goes as it is. */
export async function postTemplate(graph: Graph, call: WabaCall & { body: string }): Promise<Result<CreatedTemplate, UpstreamFailure>> {
  const answer = await askUpstream(graph, { method: 'POST', path: pathOf(call), token: call.token, body: call.body })
  if (!answer.ok) return answer
  const { id, status, category } = templateFields(answer.value)
  return ok({ id, status, category })
}

/** Deletes a template in all languages, or only the one with this id. */
export async function deleteTemplate(
  graph: Graph,
  call: WabaCall & { name: string; id: string | null },
): Promise<Result<null, UpstreamFailure>> {
  // In the query: upstream passes over a body.
  const query = new URLSearchParams({ name: call.name, ...(call.id === null ? {} : { hsm_id: call.id }) }).toString()
  return tellUpstream(graph, { method: 'DELETE', path: `${pathOf(call)}?${query}`, token: call.token })
}

const pathOf = ({ wabaId }: WabaCall) => `/${encodeURIComponent(wabaId)}/message_templates`

function readPage(body: JsonObject): Result<TemplatePage, UpstreamFailure> {
  if (!Array.isArray(body.data)) return refused({ reached: true, code: null, message: 'It answered no list of templates.' })
  const after = textOf(memberOf(memberOf(body.paging, 'cursors'), 'after'))
  // On the last page there is a cursor still, but no address of a next page.
  const next = textOf(memberOf(body.paging, 'next')) === null ? null : after
  return ok({ templates: body.data.filter(isObject).map(templateFields), next })
}

function templateFields(body: JsonObject): TemplateFields {
  return {
    id: idOf(body.id),
    name: textOf(body.name),
    language: textOf(body.language),
    status: textOf(body.status),
    category: textOf(body.category),
    subCategory: textOf(body.sub_category),
    parameterFormat: textOf(body.parameter_format),
    qualityScore: textOf(memberOf(body.quality_score, 'score')),
    rejectedReason: textOf(body.rejected_reason),
    components: Array.isArray(body.components) ? body.components.filter(isObject) : [],
  }
}

const textOf = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Digits, whether they come as a text or, as in notices, as a number of any size. */
function idOf(value: Json | undefined): string | null {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
  return /^[0-9]+$/.test(text) ? text : null
}
