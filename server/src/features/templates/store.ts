import type { Uuid } from '../../base/id.ts'
import { limits } from '../../limits.ts'
import type { Queries } from '../../platform/database/database.ts'
import { queryBuilder, statement } from '../../platform/database/statement.ts'
import { type KnownCategory, languageOf, type SeenTemplate, type TemplateKey } from './template.ts'

type TemplateStateTable = { account_id: Uuid; waba_id: string; name: string; language: string; category: string; seen_at: Date }
type SubmissionTable = { account_id: Uuid; waba_id: string; name: string; language: string; body_hash: Buffer; submitted_at: Date }

const build = queryBuilder<{ template_state: TemplateStateTable; template_submission: SubmissionTable }>()

const languageCharsMax = 64

const upsertRead = statement(
  'remember_templates',
  // Each list that is read says the same again: only what is new, or an hour newer, is worth a write.
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
      and (template_state.category <> excluded.category or template_state.seen_at <= excluded.seen_at - interval '1 hour'
        or template_state.told_at > template_state.seen_at - $7 * interval '1 millisecond')`,
)

const upsertTold = statement(
  'hear_template_categories',
  // The same order for what was told by any way, and for what notices told by themselves: a read of the same minute hides none of them.
  `insert into template_state (account_id, waba_id, name, language, category, seen_at, told_category, told_at)
  select account_id, waba_id, name, language, category, told_at, category, told_at
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
    as heard (account_id, waba_id, name, language, category, told_at)
  order by account_id, waba_id, name, language
  on conflict (account_id, waba_id, name, language) do update set
    (category, seen_at) = (
      select category, seen_at from (values (template_state.category, template_state.seen_at), (excluded.category, excluded.seen_at)) as each (category, seen_at)
      order by seen_at desc, category = 'MARKETING' desc, category collate "C" desc limit 1),
    (told_category, told_at) = (
      select category, told_at
      from (values (template_state.told_category, template_state.told_at), (excluded.told_category, excluded.told_at)) as each (category, told_at)
      where told_at is not null
      order by told_at desc, category = 'MARKETING' desc, category collate "C" desc limit 1)`,
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
  const values = [...keyArrays(rows), rows.map((each) => each.category), rows.map((each) => each.at)]
  await (by === 'notice' ? queries.run(upsertTold, values) : queries.run(upsertRead, [...values, limits.templateDoubtMs]))
}

/** The same order as that of the statements. */
function countsMore(a: SeenTemplate, b: SeenTemplate): boolean {
  const ms = a.at.getTime() - b.at.getTime()
  if (ms !== 0) return ms > 0
  const marketing = Number(a.category === 'MARKETING') - Number(b.category === 'MARKETING')
  return marketing === 0 ? a.category > b.category : marketing > 0
}

const findSeen = statement(
  'find_template_categories',
  `select wanted.ord::integer as ord, category, seen_at, told_category, told_at
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) with ordinality as wanted (account_id, waba_id, name, language, ord)
  join template_state known on known.account_id = wanted.account_id and known.waba_id = wanted.waba_id
    and known.name = wanted.name and known.language = wanted.language`,
)

/** What upstream told of each of these, in the order asked; null: nothing. */
export async function findSeenTemplates(queries: Queries, wanted: readonly TemplateKey[]): Promise<(KnownCategory | null)[]> {
  const found: (KnownCategory | null)[] = wanted.map(() => null)
  if (wanted.length === 0) return found
  type Row = { ord: number; category: string; seen_at: Date; told_category: string | null; told_at: Date | null }
  for (const row of await queries.run<Row>(findSeen, keyArrays(wanted))) {
    const told = row.told_category === null || row.told_at === null ? null : { category: row.told_category, at: row.told_at }
    found[row.ord - 1] = { category: row.category, seenAt: row.seen_at, told }
  }
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
