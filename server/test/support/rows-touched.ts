import { Client } from 'pg'
import { plannerSettings } from '../../src/platform/database/database.ts'
import type { Lookup } from '../../src/platform/database/steps.ts'
import type { TestDatabase } from './database.ts'

type Node = { [key: string]: unknown; Plans?: readonly Node[] }

export type CountedQueries = {
  /** As the product asks, each statement counted before it is run. */
  queries: Lookup
  /** From now on, whether the call is over. */
  setOver(over: boolean): void
  /** How many statements were run. */
  statements(): number
  /** The most rows that one statement read since this was asked last, whether they fitted or not. */
  mostRows(): number
  close(): Promise<void>
}

/** A connection that is planned as the gateway's, and knows how many rows each statement reads. */
export async function countRows({ connection }: TestDatabase): Promise<CountedQueries> {
  const client = new Client(connection)
  await client.connect()
  await client.query(plannerSettings)
  let most = 0
  let statements = 0
  let isOver = false
  const ask = async <Row>(text: string, values: readonly unknown[]): Promise<Row[]> => {
    const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values])
    statements += 1
    most = Math.max(most, rowsOf(rows[0]['QUERY PLAN'][0].Plan))
    return (await client.query(text, [...values])).rows
  }
  return {
    queries: {
      run: (statement, values) => ask(statement.text, values),
      isOver: () => isOver,
      all: (query) => {
        const { sql, parameters } = query.compile()
        return ask(sql, parameters)
      },
    },
    setOver(over) {
      isOver = over
    },
    statements: () => statements,
    mostRows() {
      const rows = most
      most = 0
      return rows
    },
    close: () => client.end(),
  }
}

/** Rows that the scans of a plan read. */
function rowsOf(node: Node): number {
  const below = (node.Plans ?? []).reduce((sum, each) => sum + rowsOf(each), 0)
  if (!/^(Index|Index Only|Seq|Bitmap Heap) Scan$/.test(String(node['Node Type']))) return below
  const each = ['Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck']
  return below + Number(node['Actual Loops']) * each.reduce((sum, name) => sum + Number(node[name] ?? 0), 0)
}
