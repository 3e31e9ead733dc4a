import { Client, escapeLiteral } from 'pg'
import { assert } from '../../server/src/base/assert.ts'
import { plannerSettings, type Queries } from '../../server/src/platform/database/database.ts'
import { bundledConnection } from '../../server/test/support/processes/rows.ts'

/** Queries that run as the product runs them, prepared and planned without their values, and tell how many pages they touched instead of their rows. */
export type PageCounter = { queries: Queries; pages(): number; close(): Promise<void> }

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

export async function openPageCounter(dataDir: string): Promise<PageCounter> {
  const client = new Client(await bundledConnection(dataDir))
  await client.connect()
  await client.query(plannerSettings)
  let pages = 0
  let prepared = 0
  const count = async (sql: string, values: readonly unknown[]) => {
    prepared += 1
    await client.query(`prepare counted_${prepared} as ${sql}`)
    const given = values.length === 0 ? '' : `(${values.map(literal).join(', ')})`
    const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) execute counted_${prepared}${given}`)
    const plan: Plan = rows[0]['QUERY PLAN'][0].Plan
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    return []
  }
  return {
    queries: {
      run: ({ text }, values) => count(text, values),
      all: (query) => {
        const { sql, parameters } = query.compile()
        return count(sql, parameters)
      },
    },
    pages: () => pages,
    close: () => client.end(),
  }
}

function literal(value: unknown): string {
  assert(
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
    'a value that the lists of messages are asked with',
  )
  return typeof value === 'string' ? escapeLiteral(value) : String(value)
}
