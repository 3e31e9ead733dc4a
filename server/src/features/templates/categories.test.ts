import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { secretKey, sql } from '../../../test/support/stage.ts'
import { type ManualClock, manualClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { ok } from '../../base/result.ts'
import { seal } from '../../base/seal.ts'
import type { Graph, GraphAnswer } from '../../platform/upstream/graph.ts'
import {
  type CategoryReader,
  createCategoryReader,
  createStatusReader,
  knownCategories,
  rememberTemplates,
  type SeenTemplate,
  type StatusReader,
  type TemplateKey,
  type WantedTemplate,
} from './public.ts'

const dayMs = 86_400_000
const wabaId = '204817396550128'
const sealedToken = seal(secretKey, 'token')

let database: TestDatabase
let clock: ManualClock
let accountId: Uuid
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  clock = manualClock('2026-11-27T12:00:00Z')
  accountId = newUuid(new Date())
})

const wanted = (name: string, more: Partial<WantedTemplate> = {}): WantedTemplate => ({
  ...{ accountId, wabaId, sealedToken, name, language: 'pt_BR' },
  ...more,
})
const seen = (name: string, category: string, more: Partial<SeenTemplate> = {}): SeenTemplate => ({
  ...wanted(name),
  category,
  at: clock.now(),
  ...more,
})
const remember = (...each: SeenTemplate[]) => database.database.transaction((tx) => rememberTemplates(tx, each))
const known = (...each: TemplateKey[]) => knownCategories(database.database, clock.now(), each)

/** An upstream that has these templates; what it was asked is kept. */
function upstream(category: string | null): { graph: Graph; paths: string[]; answerWith(next: GraphAnswer | null): void } {
  const paths: string[] = []
  let instead: GraphAnswer | null = null
  const call: Graph['call'] = async ({ path }) => {
    paths.push(path)
    const { searchParams } = new URL(path, 'http://x')
    const found = { name: searchParams.get('name'), language: 'pt_BR', category, status: 'APPROVED' }
    return instead ?? { kind: 'answer', statusCode: 200, body: JSON.stringify({ data: category === null ? [] : [found] }) }
  }
  const answerWith = (next: GraphAnswer | null) => {
    instead = next
  }
  return { graph: { concurrentMax: 1, call, close: async () => {} }, paths, answerWith }
}

const readerOf = ({ graph }: { graph: Graph }): CategoryReader =>
  createCategoryReader({ database: database.database, clock, graph, secretKey })
const away: GraphAnswer = { kind: 'no_answer', because: 'timeout' }
const refusing: GraphAnswer = { kind: 'answer', statusCode: 400, body: '{"error":{"code":10,"message":"no"}}' }

// rule: templates 6
describe('the categories that are known', () => {
  test('are in the order asked, by account, business account, name and language', async () => {
    await remember(seen('a', 'MARKETING'), seen('b', 'UTILITY'))
    const elsewhere = { accountId: newUuid(new Date()) }
    const all = [
      wanted('b'),
      wanted('a'),
      wanted('c'),
      wanted('a', { language: 'en_US' }),
      wanted('a', { wabaId: '1' }),
      wanted('a', elsewhere),
    ]
    expect(await known(...all)).toEqual(['UTILITY', 'MARKETING', null, null, null, null])
    expect(await known()).toEqual([])
  })

  test('count for a day, and not a millisecond longer', async () => {
    await remember(seen('a', 'MARKETING'))
    clock.advance(dayMs - 1)
    expect(await known(wanted('a'))).toEqual(['MARKETING'])
    clock.advance(1)
    expect(await known(wanted('a'))).toEqual([null])
  })

  test('are those that were told last, whatever the order in which they are remembered', async () => {
    await remember(seen('a', 'UTILITY'))
    clock.advance(1)
    await remember(seen('a', 'MARKETING'))
    await remember(seen('a', 'UTILITY', { at: new Date(clock.now().getTime() - 1) }))
    expect(await known(wanted('a'))).toEqual(['MARKETING'])
    await remember(seen('b', 'UTILITY', { at: new Date(clock.now().getTime() - 1) }), seen('b', 'MARKETING'))
    expect(await known(wanted('b'))).toEqual(['MARKETING'])
  })

  test('are fresh again when upstream tells the same an hour later', async () => {
    await remember(seen('a', 'UTILITY'))
    clock.advance(dayMs - 1)
    await remember(seen('a', 'UTILITY'))
    clock.advance(dayMs - 1)
    expect(await known(wanted('a'))).toEqual(['UTILITY'])
  })

  test('do not mind how a notice spells the language, and a name that cannot be is passed over', async () => {
    await remember(
      seen('a', 'MARKETING', { language: 'pt-BR' }),
      seen('x'.repeat(513), 'UTILITY'),
      seen('x', 'UTILITY', { language: 'y'.repeat(65) }),
    )
    expect(await known(wanted('a'))).toEqual(['MARKETING'])
    expect(await sql(database.database, 'select 1 from template_state where account_id = $1', [accountId])).toHaveLength(1)
  })

  test('can be remembered by two at once in opposite orders', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `t${i}`)
    const each = names.map((name) => seen(name, 'UTILITY'))
    await Promise.all([remember(...each), remember(...each.toReversed()), remember(...each), remember(...each.toReversed())])
    expect(await known(...names.map((name) => wanted(name)))).toEqual(names.map(() => 'UTILITY'))
  })
})

// rule: templates 6
describe('a category that is not known', () => {
  test('is read from upstream by name and language, and remembered', async () => {
    const platform = upstream('MARKETING')
    expect(await readerOf(platform)([wanted('a'), wanted('b')])).toEqual(['MARKETING', 'MARKETING'])
    expect(platform.paths).toHaveLength(2)
    expect(platform.paths[0]).toContain(`/${wabaId}/message_templates?`)
    expect(await known(wanted('a'), wanted('b'))).toEqual(['MARKETING', 'MARKETING'])
  })

  test('is read once for all that ask at the same time', async () => {
    const platform = upstream('UTILITY')
    const read = readerOf(platform)
    const answers = await Promise.all([read([wanted('a'), wanted('a')]), read([wanted('a')])])
    expect([answers.flat(), platform.paths.length]).toEqual([['UTILITY', 'UTILITY', 'UTILITY'], 1])
  })

  test('of a template that is not there is null, and asked for again only after a minute', async () => {
    const platform = upstream(null)
    const read = readerOf(platform)
    expect(await read([wanted('a')])).toEqual([null])
    clock.advance(59_999)
    expect(await read([wanted('a')])).toEqual([null])
    expect(platform.paths).toHaveLength(1)
    clock.advance(1)
    await read([wanted('a')])
    expect(platform.paths).toHaveLength(2)
  })

  test.each([
    ['is away', away, 5_000],
    ['refuses', refusing, 60_000],
  ])('is null while upstream %s, or what it told last, however long ago; soon it is asked again', async (_what, answer, againMs) => {
    await remember(seen('old', 'UTILITY'))
    clock.advance(40 * dayMs)
    const platform = upstream('MARKETING')
    platform.answerWith(answer)
    const read = readerOf(platform)
    expect(await read([wanted('old'), wanted('new')])).toEqual(['UTILITY', null])
    platform.answerWith(null)
    clock.advance(againMs - 1)
    expect(await read([wanted('old'), wanted('new')])).toEqual(['UTILITY', null])
    clock.advance(1)
    expect(await read([wanted('old'), wanted('new')])).toEqual(['MARKETING', 'MARKETING'])
  })

  test('is waited for at most 4 seconds, however many are asked for', async () => {
    const deadlines: number[] = []
    const slow: Graph = {
      concurrentMax: 1,
      call: async ({ deadlineMs = 0 }) => {
        deadlines.push(deadlineMs)
        if (deadlines.length % 8 === 0) clock.advance(2_000)
        return away
      },
      close: async () => {},
    }
    const many = Array.from({ length: 40 }, (_, i) => wanted(`t${i}`))
    expect(await readerOf({ graph: slow })(many)).toEqual(many.map(() => null))
    expect([deadlines.length, Math.max(...deadlines), Math.min(...deadlines)]).toEqual([16, 4_000, 2_000])
  })
})

// rule: templates 7
describe('a notice of a category', () => {
  const second = (ms: number) => new Date(Math.floor(ms / 1_000) * 1_000)
  /** As upstream tells it now, by whole seconds of a clock that is so much off. */
  const hear = (category: string, { name = 'a', offMs = 0 } = {}) =>
    database.database.transaction((tx) =>
      rememberTemplates(tx, [seen(name, category, { at: second(clock.now().getTime() + offMs) })], 'notice'),
    )

  test.each([0, -1_000, -58_000])('of marketing counts at once against a read of the same minute (%i ms)', async (offMs) => {
    clock.advance(999)
    await remember(seen('a', 'UTILITY'))
    await hear('MARKETING', { offMs })
    expect(await known(wanted('a'))).toEqual(['MARKETING'])
    clock.advance(500)
    await remember(seen('a', 'UTILITY'))
    expect(await known(wanted('a'))).toEqual(['MARKETING'])
  })

  test('gives way to a read of a minute later, and so does one that comes late', async () => {
    await hear('MARKETING')
    clock.advance(60_000)
    await remember(seen('a', 'UTILITY'))
    expect(await known(wanted('a'))).toEqual(['UTILITY'])
    await hear('MARKETING', { offMs: -61_000 })
    expect(await known(wanted('a'))).toEqual(['UTILITY'])
  })

  test('of marketing counts for a day', async () => {
    await hear('MARKETING')
    clock.advance(dayMs - 1)
    expect(await known(wanted('a'))).toEqual(['MARKETING'])
    clock.advance(1)
    expect(await known(wanted('a'))).toEqual([null])
  })

  test('of any other category lets upstream be asked, until a read of a minute later', async () => {
    await remember(seen('a', 'MARKETING'))
    await hear('UTILITY')
    expect(await known(wanted('a'))).toEqual([null])
    const platform = upstream('UTILITY')
    const read = readerOf(platform)
    expect(await read([wanted('a')])).toEqual(['UTILITY'])
    expect(await known(wanted('a'))).toEqual([null])
    clock.advance(60_000)
    expect(await read([wanted('a')])).toEqual(['UTILITY'])
    expect([await known(wanted('a')), platform.paths.length]).toEqual([['UTILITY'], 2])
  })

  test('of any other category, in doubt, is asked for once a second whoever asks', async () => {
    await hear('UTILITY')
    const platform = upstream('UTILITY')
    const read = readerOf(platform)
    for (let n = 0; n < 5; n += 1) expect(await read([wanted('a')])).toEqual(['UTILITY'])
    expect(platform.paths).toHaveLength(1)
  })

  test('that comes while upstream is asked counts for who asked', async () => {
    const platform = upstream('UTILITY')
    const call: Graph['call'] = async (request) => {
      clock.advance(1_500)
      await hear('MARKETING')
      return platform.graph.call(request)
    }
    expect(await readerOf({ graph: { ...platform.graph, call } })([wanted('a')])).toEqual(['MARKETING'])
  })

  test('counts while upstream is away; of what is in doubt that of marketing does', async () => {
    const platform = upstream(null)
    platform.answerWith(away)
    await hear('UTILITY', { name: 'told' })
    await remember(seen('both', 'MARKETING'))
    await hear('UTILITY', { name: 'both', offMs: -1_000 })
    expect(await readerOf(platform)([wanted('told'), wanted('both')])).toEqual(['UTILITY', 'MARKETING'])
  })

  test('is the same whatever the order in which notices come', async () => {
    const times = [0, 1_000, 2_000, 2_000]
    const told = times.map((ms, i) =>
      seen('a', ['MARKETING', 'UTILITY', 'AUTHENTICATION', 'MARKETING'][i] ?? '', { at: new Date(clock.now().getTime() + ms) }),
    )
    for (const order of [told, told.toReversed(), [2, 0, 3, 1].flatMap((i) => told[i] ?? [])]) {
      for (const each of order) await database.database.transaction((tx) => rememberTemplates(tx, [each], 'notice'))
      const [row] = await sql(
        database.database,
        'select category, seen_at, told_category, told_at from template_state where account_id = $1',
        [accountId],
      )
      const last = new Date(clock.now().getTime() + 2_000)
      expect(row).toEqual({ category: 'MARKETING', seen_at: last, told_category: 'MARKETING', told_at: last })
      await sql(database.database, 'delete from template_state where account_id = $1', [accountId])
    }
  })
})

describe('the status of a template', () => {
  const statusReader = ({ graph }: { graph: Graph }): StatusReader => createStatusReader({ clock, graph, secretKey })

  test('is what upstream says, or null for none; a burst asks once, and a while later again', async () => {
    const platform = upstream('UTILITY')
    const read = statusReader(platform)
    const burst = await Promise.all([read(wanted('a')), read(wanted('a'))])
    expect(burst).toEqual([ok('APPROVED'), ok('APPROVED')])
    expect(await read(wanted('a', { language: 'es' }))).toEqual(ok(null))
    clock.advance(9_999)
    await read(wanted('a'))
    expect(platform.paths).toHaveLength(2)
    clock.advance(1)
    await read(wanted('a'))
    expect(platform.paths).toHaveLength(3)
  })

  test('is not known while upstream is away, and asked again a second later', async () => {
    const platform = upstream('UTILITY')
    platform.answerWith(away)
    const read = statusReader(platform)
    expect(await read(wanted('a'))).toMatchObject({ ok: false, refusal: { reached: false } })
    platform.answerWith(null)
    clock.advance(1_000)
    expect(await read(wanted('a'))).toEqual(ok('APPROVED'))
  })
})
