import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/**
 * Statements that read or change rows of more than one account on purpose, by the name of the statement or, where a query builder
 * writes it, of the function.
 */
const acrossAccounts: Readonly<Record<string, string>> = {
  select_callers_by_key_hash: 'a key says which account is calling: before that none is known',
  accountOfKey: "the operator's tool names a key alone",
  select_channels_by_phone_number_ids: 'a notice names a number, which belongs to one account',
  select_channels_by_waba_ids: 'a notice names a business account, of which several accounts may have numbers',
  upsertChannel: 'the row that it writes carries the account; a conflict is on account and id or on the number',
  ownerOfNumber: 'asks which account has a number, so that no second one gets it',
  listAllChannels: "for the operator's tool",
  findChannel: "the operator's tool names a channel alone",
  select_open_media_by_token: 'whoever has the token of a url may read the file, without a key',
  select_invitation_by_token: 'whoever has the token of an invitation may look at it, before they belong to an account',
  select_memberships_of_user: 'somebody who has signed in sees which accounts they belong to',
  select_members_of_all_accounts: "for the operator's tool",
  discover_send_lanes: 'the owner of a shard works for every account in it',
  find_queued_sends: 'a restored queue is judged as a whole',
  find_orphaned_sends: 'the owner of a shard works for every account in it',
  find_sends_that_stay_unknown: 'the owner of a shard works for every account in it',
  find_due_webhook_lanes: 'the owner of a shard works for every account in it',
  find_unwell_channels: 'whatever is wrong is looked for in all accounts',
  find_open_alerts: 'whatever is wrong is looked for in all accounts',
  find_old_send_queues: 'whatever is wrong is looked for in all accounts',
  read_send_depth: 'how much waits in all, as a number for the operator',
  read_notice_depth: 'how much waits in all, as a number for the operator',
  read_replay_depth: 'how much waits in all, as a number for the operator',
  read_set_aside_depth: 'how much lies aside in all, as a number for the operator',
  read_delivery_depth: 'how much waits in all, as a number for the operator',
  any_parked_status: 'only asks whether there is one at all',
  take_waiting_notices: 'a notice is of no account before it has been read',
  next_notice_due: 'a notice is of no account before it has been read',
  take_replayed_notices: 'a notice is of no account before it has been read',
  read_notice_bodies: 'a notice is of no account before it has been read',
  next_replay_due: 'a notice is of no account before it has been read',
  list_worked_notices: 'the operator has the notices of all accounts worked through again',
  mark_notices_for_replay: 'the operator has the notices of all accounts worked through again',
  find_kept_notices: 'a notice holds items of several accounts',
  clear_items_set_aside: 'a notice holds items of several accounts',
  list_items_set_aside: "for the operator's tool",
  find_notices_of_items: "the operator's tool names an item alone",
  move_item_to_notice: "the operator's tool names an item alone",
  list_awaited_numbers: 'a number that nobody has connected is of no account',
  release_awaiting_items: 'a number that nobody has connected is of no account',
  read_message_changes: 'whoever follows the feed follows all accounts',
  look_at_feed_follower: 'the follower of all accounts, that asks whether anything is there at all',
  read_first_message_change: 'how far the followers are behind, as a number for the operator',
  sweep_messages: 'whoever follows the feed follows all accounts',
  finish_notices: 'a notice is of no account before it has been read',
  take_notice: 'a notice is of no account before it has been read',
  hold_notice: 'a notice is of no account before it has been read',
  find_due_media_removals: 'files of every account go',
  delete_expired_invitations: 'what has expired goes, of every account',
  postpone_notice: 'a notice is of no account before it has been read',
}

const server = new URL('../../', import.meta.url)

type Query = { file: string; name: string; text: string }

const tenantTables = new Set(
  [...(await readFile(new URL('schema.sql', server), 'utf8')).matchAll(/^create table (\w+) \(\n(.*?)\n\)/gms)]
    .filter(([, , columns = '']) => /^ {2}account_id /m.test(columns))
    .map(([, name = '']) => name),
)
const files = globSync('src/{features,platform/http,cli}/**/*.ts', { cwd: server }).filter((path) => !path.endsWith('.test.ts'))
const sources = await Promise.all(files.sort().map(async (file) => ({ file, text: await readFile(new URL(file, server), 'utf8') })))
const queries = sources.flatMap((source) => [...statementsIn(source), ...builtIn(source)])

test('every query of a table that belongs to accounts says whose rows it means', () => {
  expect(queries.length).toBeGreaterThan(50)
  expect(tenantTables.size).toBeGreaterThan(10)
  const open = queries
    .filter((query) => touchesTenants(query.text) && !namesAccount(query.text))
    .filter(({ name }) => !(name in acrossAccounts))
  expect(open.map(({ file, name }) => `${file}: ${name}`)).toEqual([])
})

test('no exception outlives its query', () => {
  const needed = new Set(queries.filter((query) => touchesTenants(query.text) && !namesAccount(query.text)).map(({ name }) => name))
  expect(Object.keys(acrossAccounts).filter((name) => !needed.has(name))).toEqual([])
})

test('the reading itself sees a query that names no account, and one that does', () => {
  const source = (sql: string) => ({ file: 'a-store.ts', text: `const a = statement('a', \`${sql}\`)` })
  const found = (sql: string) => statementsIn(source(sql)).filter(({ text }) => touchesTenants(text) && !namesAccount(text)).length
  expect(found('select account_id from message where id = $1')).toBe(1)
  expect(found('update webhook set enabled = false')).toBe(1)
  expect(found('select id from message where account_id = $1 and id = $2')).toBe(0)
  expect(found('select name from plan')).toBe(0)
  expect(found('insert into message (account_id, id) select * from unnest($1::uuid[], $2::uuid[])')).toBe(0)
  expect(found('insert into message (id) select * from unnest($1::uuid[])')).toBe(1)
  const built = (where: string) =>
    builtIn({ file: 'b-store.ts', text: `function b() {\n  return build.selectFrom('message')${where}\n}\n` })
  expect(
    built(".where('id', '=', id)")
      .filter(({ text }) => !namesAccount(text))
      .map(({ name }) => name),
  ).toEqual(['b'])
  expect(built(".where('account_id', '=', accountId)").filter(({ text }) => !namesAccount(text))).toEqual([])
})

/** Every `statement('name', …)`. One that this does not understand is an error, not something to pass over. */
function statementsIn({ file, text }: { file: string; text: string }): Query[] {
  const found = [...text.matchAll(/\bstatement\(\s*'(\w+)',(?:\s*\/\/[^\n]*)*\s*(?:`([^`]*)`|'([^']*)')/g)]
  const calls = [...text.matchAll(/(?<!function )\bstatement\(/g)].length
  if (found.length !== calls) throw new Error(`${file} has ${calls} statements, of which ${found.length} could be read`)
  return found.map(([, name = '', long, short]) => ({ file, name, text: long ?? short ?? '' }))
}

/** Every query that a query builder writes, up to the next one or the end of its function, written as if it were SQL. */
function builtIn({ file, text }: { file: string; text: string }): Query[] {
  const starts = [...text.matchAll(/\bbuild\s*\.(selectFrom|updateTable|deleteFrom|insertInto)\('(\w+)'\)/g)]
  return starts.map((start, i) => {
    const end = Math.min(starts[i + 1]?.index ?? text.length, text.indexOf('\n}', start.index))
    const before = text.slice(0, start.index)
    const name = [...before.matchAll(/\bfunction (\w+)/g)].at(-1)?.[1] ?? '(outside of a function)'
    const verb = start[1] === 'insertInto' ? 'insert into' : 'from'
    return { file, name, text: `${verb} ${start[2]} ${text.slice(start.index, end)}` }
  })
}

const isTenant = ([, table = '']: RegExpMatchArray) => tenantTables.has(table)
const reads = (text: string) => [...text.matchAll(/\b(?:from|join|update|using)\s+(\w+)/g)].some(isTenant)
const inserts = (text: string) => [...text.matchAll(/\binsert into\s+(\w+)/g)].some(isTenant)
const touchesTenants = (text: string) => reads(text) || inserts(text)

/** A condition, not merely a column of the answer; for what only inserts, the column. */
function namesAccount(text: string): boolean {
  if (!reads(text)) return /\binsert into\s+\w+\s+(?:\([^)]*\baccount_id\b|build[^;]*\baccount_id:)/.test(text)
  return [
    /\baccount_id\s*=|=\s*(?:\w+\.)?account_id\b/,
    /\busing \([^)]*\baccount_id\b/,
    /\((?:\w+\.)?account_id\b[^)]*\)\s+(?:in|=)\s/,
    /where\('account_id', '='/,
  ].some((condition) => condition.test(text))
}
