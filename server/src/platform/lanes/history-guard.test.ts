import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { systemClock } from '../../base/clock.ts'
import type { Queries } from '../database/database.ts'
import { createHistoryGuard, type HistoryMark, type HistoryObservation, type MarkKeeper, reasonToJudge } from './history-guard.ts'
import { beginJudgement, readHistory, timelineNow } from './history-store.ts'
import { markFile } from './mark-file.ts'

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(() =>
  sql(
    own.database,
    `update database_history set value = 100, timeline = ${timelineNow}, judging_since = null, judgements = 0,
      cluster = (select system_identifier::text from pg_control_system())`,
  ),
)

const sql = <Row>(queries: Queries, text: string): Promise<Row[]> =>
  queries.all({ compile: () => ({ sql: text, parameters: [] }) as never })

/** A process that remembers this of the database. */
function process(mark: HistoryMark | null, options: { lossless?: boolean; queued?: number; marks?: MarkKeeper } = {}) {
  const held: number[] = []
  const observed: HistoryObservation[] = []
  const queued = options.queued ?? 0
  let kept = mark
  const marks: MarkKeeper = options.marks ?? {
    read: async () => kept,
    write: async (next) => {
      kept = next
    },
  }
  const guard = createHistoryGuard(
    {
      database: own.database,
      clock: systemClock(),
      observe: (each) => observed.push(each),
      marks,
      async holdQueued({ after, most }) {
        const before = after === null ? 0 : Number(after.messageId)
        const taken = Math.min(queued - before, most)
        held.push(taken)
        return {
          held: taken,
          next: taken < most ? null : { accountId: after?.accountId as never, messageId: `${before + taken}` as never },
        }
      },
    },
    { lossless: options.lossless ?? false },
  )
  return { guard, held, observed, kept: () => kept }
}

const markOf = async (value: number): Promise<HistoryMark> => ({ installation: (await readHistory(own.database)).installation, value })

// rule: queue 7
describe('a database is asked at every beat whether its history is the one that is remembered', () => {
  test('as it was: nothing is held, and the mark rises outside as inside', async () => {
    const one = process(await markOf(100))
    await one.guard.check()
    await one.guard.check()
    expect(one.held).toEqual([])
    expect(one.kept()?.value).toBe(102)
    expect((await readHistory(own.database)).value).toBe(102)
  })

  test('an older one than remembered, such as a restored backup: all that waits is held, in bites, and nobody judges it twice', async () => {
    const [one, two] = [process(await markOf(105), { queued: 1_200 }), process(await markOf(107), { queued: 1_200 })]
    await one.guard.check()
    expect(one.held).toEqual([500, 500, 200])
    expect(one.observed).toEqual([{ kind: 'database.history_judged', because: 'rewound', held: 1_200 }])
    await two.guard.check()
    expect(two.held).toEqual([])
  })

  test('a standby that took over may lack the last commits: what waits is held, once, unless the operator says that it loses nothing', async () => {
    await sql(own.database, "update database_history set timeline = '000000FF'")
    const safe = process(await markOf(100), { queued: 3, lossless: true })
    await safe.guard.check()
    expect(safe.held).toEqual([])
    await sql(own.database, "update database_history set timeline = '000000FF'")
    const one = process(await markOf(101), { queued: 3 })
    await one.guard.check()
    await one.guard.check()
    expect(one.observed).toEqual([{ kind: 'database.history_judged', because: 'failover', held: 3 }])
  })

  test('a dump read into another cluster is held, unless this process remembers that nothing happened since', async () => {
    await sql(own.database, "update database_history set cluster = '1'")
    const moved = process(await markOf(100), { queued: 3 })
    await moved.guard.check()
    expect(moved.held).toEqual([])
    await sql(own.database, "update database_history set cluster = '1'")
    const stranger = process(null, { queued: 3 })
    await stranger.guard.check()
    expect(stranger.observed).toEqual([{ kind: 'database.history_judged', because: 'other_cluster', held: 3 }])
  })

  test('a judgement that did not come to its end is gone on with by the next process', async () => {
    await beginJudgement(own.database, new Date(), 0)
    const one = process(null, { queued: 3 })
    await one.guard.check()
    expect(one.held).toEqual([3])
    expect((await readHistory(own.database)).judgingSince).toBeNull()
  })

  test('a mark of another database says nothing of this one', async () => {
    const one = process({ ...(await markOf(9_999)), installation: '019ac8f0-a1b2-7c3d-8e4f-000000000001' as never }, { queued: 3 })
    await one.guard.check()
    expect(one.held).toEqual([])
  })

  test('a mark that cannot be kept outside is told, and stops nothing', async () => {
    const marks: MarkKeeper = { read: async () => null, write: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' })) }
    const one = process(null, { marks })
    await one.guard.check()
    expect(one.observed).toEqual([{ kind: 'database.mark_not_kept', message: 'ENOSPC' }])
  })
})

test('a history is judged for one reason at a time, the worst first', async () => {
  const history = await readHistory(own.database)
  const ask = (change: Partial<typeof history>, mark: HistoryMark | null = null) =>
    reasonToJudge({ ...history, ...change }, mark, { lossless: false })
  expect(ask({})).toBeNull()
  expect(ask({ judgingSince: new Date(), timeline: 'other' })).toBe('asked')
  expect(ask({ timeline: 'other' }, await markOf(101))).toBe('rewound')
})

describe('a mark in a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pombo-mark-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('is read as it was written, and one that is damaged counts as none', async () => {
    const marks = markFile(join(folder, 'made', 'mark.json'))
    expect(await marks.read()).toBeNull()
    const mark = await markOf(7)
    await marks.write(mark)
    expect(await marks.read()).toEqual(mark)
    expect(await readdir(join(folder, 'made'))).toEqual(['mark.json'])
    await writeFile(join(folder, 'made', 'mark.json'), '{')
    expect(await marks.read()).toBeNull()
  })
})
