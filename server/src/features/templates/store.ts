import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { languageOf, type SeenTemplate, type TemplateKey } from './template.ts'

type TemplateStateTable = { account_id: Uuid; waba_id: string; name: string; language: string; category: string; seen_at: Date }
type SubmissionTable = { account_id: Uuid; waba_id: string; name: string; language: string; body_hash: Buffer; submitted_at: Date }

const build = queryBuilder<{ template_state: TemplateStateTable; template_submission: SubmissionTable }>()

const languageCharsMax = 64

const upsertSeen = statement(
  'remember_templates',
  // Each list that is read says the same again: only what is new, or an hour newer, is worth a write; a notice comes once, and always is.
  // Of two categories that were told at one moment the same one counts in any order: that of marketing, which refuses more.
  `insert into template_state (account_id, waba_id, name, language, category, seen_at)
  select account_id, waba_id, name, language, category, seen_at
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
    as seen (account_id, waba_id, name, language, category, seen_at)
  order by account_id, waba_id, name, language
  on conflict (account_id, waba_id, name, language) do update
    set category = excluded.category, seen_at = excluded.seen_at
    where (template_state.seen_at, template_state.category = 'MARKETING', template_state.category collate "C")
        < (excluded.seen_at, excluded.category = 'MARKETING', excluded.category collate "C")
      and ($7 or template_state.category <> excluded.category or template_state.seen_at <= excluded.seen_at - interval '1 hour')`,
)

/**
 * Keeps the categories that upstream told. What was told earlier never replaces what was told later, whatever the order of the calls. In
 * a transaction the rows are locked in one order, so that two of them never wait for each other.
 */
export async function rememberTemplates(queries: Queries, seen: readonly SeenTemplate[], by: 'read' | 'notice' = 'read'): Promise<void> {
  const byKey = new Map<string, SeenTemplate>()
  for (const each of seen) {
    if (each.name.length > limits.templateNameCharsMax || each.language.length > languageCharsMax) continue
    const key = keyOf(each)
    const other = byKey.get(key)
    if (other === undefined || countsMore(each, other)) byKey.set(key, each)
  }
  const rows = [...byKey.values()]
  if (rows.length === 0) return
  await queries.run(upsertSeen, [...keyArrays(rows), rows.map((each) => each.category), rows.map((each) => each.at), by === 'notice'])
}

/** The same order as that of the statement. */
function countsMore(a: SeenTemplate, b: SeenTemplate): boolean {
  const ms = a.at.getTime() - b.at.getTime()
  if (ms !== 0) return ms > 0
  const marketing = Number(a.category === 'MARKETING') - Number(b.category === 'MARKETING')
  return marketing === 0 ? a.category > b.category : marketing > 0
}

const findSeen = statement(
  'find_template_categories',
  `select wanted.ord::integer as ord, category, seen_at
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality as wanted (account_id, waba_id, name, language, ord)
  join template_state known on known.account_id = wanted.account_id and known.waba_id = wanted.waba_id
    and known.name = wanted.name and known.language = wanted.language`,
)

/** What was last seen of each of these, in the order asked; null: never. */
export async function findSeenTemplates(
  queries: Queries,
  wanted: readonly TemplateKey[],
): Promise<({ category: string; seenAt: Date } | null)[]> {
  const found: ({ category: string; seenAt: Date } | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  const rows = await queries.run<{ ord: number; category: string; seen_at: Date }>(findSeen, keyArrays(wanted))
  for (const row of rows) found[row.ord - 1] = { category: row.category, seenAt: row.seen_at }
  return found
}

/** One key in one text; the language in its one spelling. */
export const keyOf = ({ accountId, wabaId, name, language }: TemplateKey): string =>
  `${accountId} ${wabaId} ${name} ${languageOf(language)}`

const keyArrays = (keys: readonly TemplateKey[]) => [
  keys.map((each) => each.accountId),
  keys.map((each) => each.wabaId),
  keys.map((each) => each.name),
  keys.map((each) => languageOf(each.language)),
]

/** Forgets a name in all its languages. */
export async function forgetTemplates(queries: Queries, { accountId, wabaId, name }: Omit<TemplateKey, 'language'>): Promise<void> {
  await queries.all(
    build.deleteFrom('template_state').where('account_id', '=', accountId).where('waba_id', '=', wabaId).where('name', '=', name),
  )
}

/** A template that is about to be submitted. */
export type Submission = TemplateKey & { bodyHash: Buffer; at: Date }

const upsertSubmission = statement(
  'note_template_submission',
  // `repeated` is decided by the row as it is when its lock is held, so of two at once the second knows of the first.
  `insert into template_submission (account_id, waba_id, name, language, body_hash, submitted_at, repeated)
  values ($1, $2, $3, $4, $5, $6, false)
  on conflict (account_id, waba_id, name, language) do update
    set body_hash = excluded.body_hash, submitted_at = excluded.submitted_at,
      repeated = template_submission.body_hash = excluded.body_hash and template_submission.submitted_at > $7
  returning repeated`,
)

/** Writes down that a template is about to be submitted, and says whether the same was submitted before and is not settled (rule: templates 5). */
export async function noteSubmission(queries: Queries, submission: Submission): Promise<boolean> {
  const { accountId, wabaId, name, language, bodyHash, at } = submission
  const since = new Date(at.getTime() - limits.templateSubmissionMs)
  await queries.all(build.deleteFrom('template_submission').where('account_id', '=', accountId).where('submitted_at', '<=', since))
  const rows = await queries.run<{ repeated: boolean }>(upsertSubmission, [accountId, wabaId, name, language, bodyHash, at, since])
  return rows[0]?.repeated === true
}

/** What became of it is known. Another body under the same name stays. */
export async function settleSubmission(queries: Queries, { accountId, wabaId, name, language, bodyHash }: Submission): Promise<void> {
  await queries.all(
    build
      .deleteFrom('template_submission')
      .where('account_id', '=', accountId)
      .where('waba_id', '=', wabaId)
      .where('name', '=', name)
      .where('language', '=', language)
      .where('body_hash', '=', bodyHash),
  )
}
