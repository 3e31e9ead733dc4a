import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { upstreamRefusal } from '../../platform/upstream/manage.ts'
import { deleteTemplate, findTemplates, type WabaCall } from '../../platform/upstream/templates.ts'
import { chooseWaba } from './choose-waba.ts'
import { findMsMax, noSuchTemplate } from './list.ts'
import { isTemplateName } from './rules.ts'
import { forgetTemplates } from './store.ts'

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

type Asked = { accountId: Uuid; channelId: string | null; name: string; id: string | null }

/** Deletes a template in all languages, or in one when its id is given. */
export async function removeTemplate(deps: Deps, asked: Asked): Promise<Result<null, Refusal>> {
  if (!isTemplateName(asked.name)) return refused(noSuchTemplate)
  const waba = await chooseWaba(deps, asked)
  if (!waba.ok) return waba
  const removed = await deleteTemplate(deps.graph, { ...waba.value, name: asked.name, id: asked.id })
  if (!removed.ok) {
    const missing = removed.refusal.reached ? await missingPart(deps, waba.value, asked) : null
    return refused(missing ?? upstreamRefusal(removed.refusal))
  }
  await forgetTemplates(deps.database, { accountId: asked.accountId, wabaId: waba.value.wabaId, name: asked.name })
  return ok(null)
}

/**
 * rule: templates 4. That there is nothing to delete upstream says with a general code, and with words in the language of the account: so
 * it is looked up. Null when it is there, or when that cannot be told.
 */
async function missingPart(deps: Deps, waba: WabaCall, { name, id }: Asked): Promise<Refusal | null> {
  const found = await findTemplates(deps, { ...waba, name, language: null, deadlineMs: findMsMax })
  if (!found.ok) return null
  if (found.value.length === 0) return noSuchTemplate
  return id === null || found.value.some((each) => each.id === id) ? null : noSuchLanguage
}

const noSuchLanguage = refusal('not_found', 'The template with this name has no language with this hsm_id.')
