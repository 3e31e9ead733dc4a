import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { upstreamRefusal } from '../../platform/upstream/manage.ts'
import { findTemplates, listTemplates } from '../../platform/upstream/templates.ts'
import { chooseWaba } from './choose-waba.ts'
import { hasStatus, isTemplateName, upstreamFilter } from './rules.ts'
import { rememberTemplates } from './store.ts'
import type { SeenTemplate, Template } from './template.ts'
import { templateFacts } from './template-facts.ts'

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

type Listed = { templates: Template[]; nextCursor: string | null }

/** One page of the account's templates, read from upstream now (rule: templates 1). A page may hold fewer than the next one. */
export async function listPage(
  deps: Deps,
  asked: { accountId: Uuid; channelId: string | null; status: string | null; after: string | null },
): Promise<Result<Listed, Refusal>> {
  const waba = await chooseWaba(deps, asked)
  if (!waba.ok) return waba
  const at = deps.clock.now()
  const filter = { status: asked.status === null ? null : upstreamFilter(asked.status), name: null }
  const page = await listTemplates(deps.graph, { ...waba.value, filter, after: asked.after })
  if (!page.ok) return refused(upstreamRefusal(page.refusal))
  const templates = page.value.templates.map(templateFacts)
  await rememberTemplates(deps.database, seenIn(templates, { accountId: asked.accountId, wabaId: waba.value.wabaId, at }))
  return ok({ templates: templates.filter((each) => hasStatus(each, asked.status)), nextCursor: page.value.next })
}

/** rule: templates 2. The template of exactly this name, in each of its languages; 404 when there is none. */
export async function findByName(
  deps: Deps,
  asked: { accountId: Uuid; channelId: string | null; name: string },
): Promise<Result<Template[], Refusal>> {
  if (!isTemplateName(asked.name)) return refused(noSuchTemplate)
  const waba = await chooseWaba(deps, asked)
  if (!waba.ok) return waba
  const at = deps.clock.now()
  const found = await findTemplates(deps, { ...waba.value, name: asked.name, language: null, deadlineMs: findMsMax })
  if (!found.ok) return refused(upstreamRefusal(found.refusal))
  const templates = found.value.map(templateFacts)
  await rememberTemplates(deps.database, seenIn(templates, { accountId: asked.accountId, wabaId: waba.value.wabaId, at }))
  return templates.length === 0 ? refused(noSuchTemplate) : ok(templates)
}

/** For all pages of one name together. */
const findMsMax = 30_000

export const noSuchTemplate = refusal('not_found', because('no_template', 'There is no template with this name.'))

/** Those of which the category was told. */
function seenIn(templates: readonly Template[], of: Pick<SeenTemplate, 'accountId' | 'wabaId' | 'at'>): SeenTemplate[] {
  return templates.flatMap(({ name, language, category }) =>
    name === null || language === null || category === null ? [] : [{ ...of, name, language, category }],
  )
}
