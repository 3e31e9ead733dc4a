import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { canonicalJson, type JsonObject } from '../../base/json.ts'
import { because, invalidField, type Refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import type { SecretKey } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { mayHaveHappened, type UpstreamFailure, upstreamRefusal } from '../../platform/upstream/manage.ts'
import { type CreatedTemplate, findTemplates, postTemplate, type WabaCall } from '../../platform/upstream/templates.ts'
import { chooseWaba } from './choose-waba.ts'
import { isWhatWasSubmitted, strangeComponent } from './rules.ts'
import { noteSubmission, rememberTemplates, type Submission, settleSubmission } from './store.ts'
import type { Submitted } from './template.ts'
import { templateFacts } from './template-facts.ts'
import type { CreateTemplateBody } from './wire.ts'

type Deps = { database: Database; clock: Clock; graph: Graph; secretKey: SecretKey }

type Attempt = { waba: WabaCall; body: CreateTemplateBody; submission: Submission }

/**
 * Submits a template for review. What upstream did with a submission that it did not clearly answer cannot be known from a second
 * submission, which it only calls "already there": so each is written down first, and looked up when that is needed (rule: templates 5).
 */
export async function createTemplate(
  deps: Deps,
  { accountId, body }: { accountId: Uuid; body: CreateTemplateBody },
): Promise<Result<Submitted, Refusal>> {
  const strange = strangeComponent(body.components)
  if (strange !== null) return refused(invalidField(`components[${strange}]`, because('malformed', 'must be an object')))
  const { channel_id: channelId = null, ...content } = body
  const waba = await chooseWaba(deps, { accountId, channelId })
  if (!waba.ok) return waba
  const { name, language } = body
  const bodyHash = hash('sha256', canonicalJson(content as unknown as JsonObject), 'buffer')
  const attempt = {
    waba: waba.value,
    body,
    submission: { accountId, wabaId: waba.value.wabaId, name, language, bodyHash, at: deps.clock.now() },
  }
  const repeated = await noteSubmission(deps.database, attempt.submission)
  const made = await postTemplate(deps.graph, { ...waba.value, body: JSON.stringify(content) })
  return made.ok ? ok(await taken(deps, attempt, made.value)) : afterFailure(deps, attempt, { failure: made.refusal, repeated })
}

async function taken(deps: Deps, { body, submission }: Attempt, made: CreatedTemplate): Promise<Submitted> {
  const category = made.category ?? body.category
  await deps.database.transaction(async (tx) => {
    await rememberTemplates(tx, [{ ...submission, category }])
    await settleSubmission(tx, submission)
  })
  return { id: made.id, name: body.name, status: made.status ?? 'PENDING', category }
}

async function afterFailure(
  deps: Deps,
  attempt: Attempt,
  { failure, repeated }: { failure: UpstreamFailure; repeated: boolean },
): Promise<Result<Submitted, Refusal>> {
  const unclear = mayHaveHappened(failure)
  const found = unclear || repeated ? await lookUp(deps, attempt) : null
  if (found !== null) return ok(await taken(deps, attempt, found))
  // One that may still appear stays written down: the same submission will then find it.
  if (!unclear && !repeated) await settleSubmission(deps.database, attempt.submission)
  return refused(upstreamRefusal(failure))
}

/** Short, because the caller has already waited for the submission. */
const lookUpMsMax = 10_000

/** What an earlier submission of the same made, or null when there is nothing like it, or upstream cannot tell. */
async function lookUp(deps: Deps, { waba, body }: Attempt): Promise<CreatedTemplate | null> {
  const { name, language } = body
  const found = await findTemplates(deps, { ...waba, name, language, deadlineMs: lookUpMsMax })
  if (!found.ok) return null
  return found.value.find((each) => isWhatWasSubmitted(body.components, templateFacts(each))) ?? null
}
