import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

// What holds a lock that keeps others waiting is over at once: what takes as long as a table is large is a migration of its own.

const directory = new URL('../../migrations/', import.meta.url)
/** Those before it are the first version's, which no database with rows has met. */
const firstOfAnUpdate = '0027'
/** Few rows each, which no send, notice, delivery or file waits for. */
const smallTables = new Set(['alert', 'audit_log', 'invitation', 'one_time_link', 'member', 'plan', 'template_state'])

const files = (await readdir(directory)).filter((name) => name.endsWith('.sql') && name >= firstOfAnUpdate)

const tablesOf = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, table = '']) => table)

/** What a migration does while it holds a lock, and what it does for long. */
function readMigration(sql: string) {
  const text = sql.replaceAll(/--.*/g, '')
  const made = new Set(tablesOf(text, /create table (\w+)/g))
  const isLarge = (table: string) => !made.has(table) && !smallTables.has(table)
  const altered = text.replaceAll(/alter table \w+ validate constraint/g, '')
  return {
    locked: tablesOf(altered, /alter table (\w+)/g).filter(isLarge),
    indexed: tablesOf(text, /create (?:unique )?index (?!concurrently)\w+ on (\w+)/g).filter(isLarge),
    moved: tablesOf(text, /(?:^|\s|;)(?:update|delete from|from|validate constraint) (\w+)/g).filter(isLarge),
  }
}

test.for(files)('%s holds no lock on a large table while it reads, moves or indexes rows', async (name) => {
  const { locked, indexed, moved } = readMigration(await readFile(new URL(name, directory), 'utf8'))
  expect({ indexed }).toEqual({ indexed: [] })
  if (locked.length > 0) expect({ moved }).toEqual({ moved: [] })
})

test('an index, or a look over all rows, beside a lock is found', () => {
  expect(readMigration('alter table media add column a int; update media set a = 1 where b;')).toMatchObject({
    locked: ['media'],
    moved: ['media'],
  })
  expect(readMigration('create index some on inbox (lane);')).toMatchObject({ indexed: ['inbox'] })
  expect(readMigration('create table new (a int); create index some on new (a);')).toEqual({ locked: [], indexed: [], moved: [] })
})
