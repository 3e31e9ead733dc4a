import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { because, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { mayHaveHappened, upstreamRefusal } from '../../platform/upstream/manage.ts'
import { deleteTemplate, findTemplates, type TemplateFields } from '../../platform/upstream/templates.ts'
import { chooseWaba } from './choose-waba.ts'
import { noSuchTemplate } from './list.ts'
import { isTemplateName } from './rules.ts'
import { forgetTemplates } from './store.ts'

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

type Asked = { accountId: Uuid; channelId: string | null; name: string; id: string | null }

/** Short, because the caller has already waited for the deletion. */
const lookUpMsMax = 10_000

/**
 * Deletes a template in all languages, or in one when its id is given. That there is nothing to delete upstream says with a general code,
 * and with words in the language of the account: so it is looked up (rule: templates 4).
 */
export async function removeTemplate(deps: Deps, asked: Asked): Promise<Result<null, Refusal>> {
  const { accountId, name, id } = asked
  if (!isTemplateName(name)) return refused(noSuchTemplate)
  const waba = await chooseWaba(deps, asked)
  if (!waba.ok) return waba
  const removed = await deleteTemplate(deps.graph, { ...waba.value, name, id })
  if (!removed.ok) {
    const left = await findTemplates(deps, { ...waba.value, name, language: null, deadlineMs: lookUpMsMax })
    if (!left.ok || left.value.some((each) => isThere(each) && (id === null || each.id === id)))
      return refused(upstreamRefusal(removed.refusal))
    // Without a clear answer what is gone was deleted, as far as anybody can tell; with one there was nothing to delete.
    if (!mayHaveHappened(removed.refusal)) return refused(left.value.length === 0 ? noSuchTemplate : noSuchLanguage)
  }
  await forgetTemplates(deps.database, { accountId, wabaId: waba.value.wabaId, name })
  return ok(null)
}

/** Upstream lists what is being deleted for a while. */
const isThere = ({ status }: TemplateFields) => status !== 'PENDING_DELETION' && status !== 'DELETED'

const noSuchLanguage = refusal('not_found', because('no_language', 'The template with this name has no language with this hsm_id.'))
