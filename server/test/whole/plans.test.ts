import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStatements, type Statement } from '../../src/platform/database/statement.ts'
import '../../src/app.ts'
import { plannerSettings } from '../../src/platform/database/database.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

type Node = { [key: string]: unknown; Plans?: readonly Node[] }

/** They look at everything, and there is little of it, or they come once in a long while. */
const readAll = new Set([
  'read_delivery_depth',
  'read_send_depth',
  'find_unwell_channels',
  'find_failing_webhooks',
  'find_open_alerts',
  'find_owned_shards',
  'count_processes',
  'forget_dead_processes',
  'forget_all_processes',
  'take_shards',
  'any_parked_status',
  'unpark_statuses',
  'select_members_of_all_accounts',
  'delete_expired_console_sessions',
  'delete_expired_challenges',
  'delete_expired_one_time_links',
  'find_queued_sends',
  'read_key_check',
  'find_sealed_secrets',
])
/** The rows of the lists that they join are few for a reason: the shards of a tick, the open sends of a process, the labels of a conversation,
 * the sessions of the server. */
const joinsLists = new Set(['write_send_intents', 'find_orphaned_sends', 'count_labels', 'read_end_of_feed'])
const notPlanned = /^(savepoint|rollback|release|create|lock) /i

// A plan is made once for each connection, often on an empty database, and stays while the tables grow: so it must be right from the start.
describe('on an empty database', () => {
  let database: TestDatabase
  let client: Client

  beforeAll(async () => {
    database = await testDatabase()
    client = new Client(database.connection)
    await client.connect()
    await client.query(plannerSettings)
  })
  afterAll(async () => {
    await client.end()
    await database.close()
  })

  const nodesOf = async ({ text }: Statement): Promise<readonly Node[]> => {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
    const under = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(under)]
    return under(rows[0]['QUERY PLAN'][0].Plan)
  }
  const planned = allStatements().filter((each) => !notPlanned.test(each.text.trim()))

  test('there are statements to look at', () => {
    expect(planned.length).toBeGreaterThan(60)
  })

  test.each(planned.filter((each) => !readAll.has(each.name)))('$name finds its rows by an index', async (each) => {
    const wrong = (await nodesOf(each)).filter(
      (node) =>
        (node['Node Type'] === 'Seq Scan' && !String(node['Relation Name']).startsWith('pg_')) ||
        (isIndexScan(node) && node['Index Cond'] === undefined && node['Node Type'] !== 'Index Only Scan'),
    )
    expect(wrong).toEqual([])
  })

  const byKey = (table: RegExp) => planned.filter((each) => table.test(each.text))

  test.each(byKey(/(send_queue|queued)\.message_id = \w+\.message_id/).filter((each) => !readAll.has(each.name)))(
    '$name finds sends by their key',
    async (each) => {
      const used = (await nodesOf(each)).filter(isIndexScan).map((node) => String(node['Index Name']))
      expect(used.filter((index) => index.startsWith('send_queue'))).toEqual(['send_queue_pkey'])
    },
  )

  test.each(byKey(/\bmessage\.id = \w+\.id\b/))('$name finds messages by their key', async (each) => {
    const used = (await nodesOf(each)).filter(isIndexScan).map((node) => String(node['Index Name']))
    const ofMessages = used.filter((index) => /^message_\d{6}/.test(index))
    expect(ofMessages.length).toBeGreaterThan(0)
    // With the mode between account and id: as good as the key.
    expect(ofMessages.filter((index) => !/_pkey$|_account_id_livemode_id_idx$/.test(index))).toEqual([])
  })

  test.each(byKey(/\bmessage\.contact_id = /))('$name finds messages of a person by the person', async (each) => {
    const used = (await nodesOf(each)).filter(isIndexScan).map((node) => String(node['Index Name']))
    const ofMessages = used.filter((index) => /^message_\d{6}/.test(index))
    expect(ofMessages.length).toBeGreaterThan(0)
    expect(ofMessages.filter((index) => !index.includes('contact_id'))).toEqual([])
  })

  test.each(byKey(/order by message_change\.xid/))('$name reads the feed in its order, and sorts nothing', async (each) => {
    expect((await nodesOf(each)).filter((node) => String(node['Node Type']).includes('Sort'))).toEqual([])
  })

  test.each(byKey(/\bcontact_window\b/))('$name finds windows by their whole key', async (each) => {
    const read = (await nodesOf(each)).filter((node) => isIndexScan(node) && node['Relation Name'] === 'contact_window')
    expect(read.filter((node) => !String(node['Index Cond']).includes('contact_id ='))).toEqual([])
  })

  test.each(byKey(/\bjoin contact\b/))('$name finds people by their whole key', async (each) => {
    const read = (await nodesOf(each)).filter((node) => isIndexScan(node) && node['Relation Name'] === 'contact')
    expect(read.filter((node) => !/\bid =/.test(String(node['Index Cond']).replace('account_id =', '')))).toEqual([])
  })

  test.each(planned.filter((each) => !joinsLists.has(each.name)))('$name compares no list with each row of another', async (each) => {
    const wrong = (await nodesOf(each)).filter(
      (node) =>
        node['Node Type'] === 'Nested Loop' && /^(CTE|Function|Subquery|Seq|Materialize)/.test(String(node.Plans?.[1]?.['Node Type'])),
    )
    expect(wrong).toEqual([])
  })
})

const isIndexScan = (node: Node) => String(node['Node Type']).includes('Index')
