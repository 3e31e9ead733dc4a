import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { send, take, written } from '../../../test/support/inbox-stage.ts'
import { newStage, person, type Stage, sql } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { systemClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { applyMoves } from './apply-moves.ts'
import { applyStatuses } from './apply-status.ts'
import { endOfFeed, readChanges, readChangesBetween, readChangesOf } from './feed-store.ts'
import { giveUpFetch, queueFileFetches } from './file-fetch-store.ts'
import type { Wamid } from './message.ts'
import type { Move } from './move.ts'
import { retryFile } from './retry-file.ts'

const clock = systemClock()
let own: TestDatabase
let deps: { database: TestDatabase['database']; clock: typeof clock }
let stage: Stage
const phones = ['5511970000001', '5511970000002']

beforeAll(async () => {
  own = await testDatabase()
  deps = { database: own.database, clock }
  await watch()
})
afterAll(() => own.close())
beforeEach(async () => {
  stage = await newStage(own.database, clock)
  for (const phone of phones) await person(own.database, clock, stage, phone)
})

/** Every row of a message, of a reaction and of a fetched file that is written, with the transaction that wrote it. */
async function watch(): Promise<void> {
  const statements = [
    'create table seen (account_id uuid, message_id uuid, xid xid8)',
    `create function see() returns trigger language plpgsql as $$
    declare
      row jsonb := to_jsonb(coalesce(new, old));
    begin
      insert into seen values ((row ->> 'account_id')::uuid, coalesce(row ->> 'message_id', row ->> 'id')::uuid, pg_current_xact_id());
      return null;
    end $$`,
    'create trigger see after insert or update or delete on message for each row execute function see()',
    'create trigger see after insert or update or delete on message_reaction for each row execute function see()',
    'create trigger see after insert or update on message_own_reaction for each row execute function see()',
    'create trigger see after update of given_up on file_fetch for each row execute function see()',
  ]
  for (const statement of statements) await sql(own.database, statement)
}

/** What was written and is not in the feed under the same transaction. */
const missing = () =>
  sql(
    own.database,
    `select message_id from seen
    where not exists (
      select from message_change change
      where change.account_id = seen.account_id and change.xid = seen.xid
        and seen.message_id = any(change.new_ids || change.moved_ids || change.changed_ids)
    )`,
  )

const move = (id: Uuid, to: Move) => own.database.transaction((tx) => applyMoves(tx, clock, [{ accountId: stage.accountId, id, move: to }]))

type Step =
  | { kind: 'send'; phone: number }
  | { kind: 'move'; nth: number; to: 'accepted' | 'refused' | 'expired' | 'outcome_unknown' | 'outcome_stays_unknown' }
  | { kind: 'status'; nth: number; status: 'sent' | 'delivered' | 'read' | 'failed' }
  | { kind: 'write'; phone: number; nth: number; origin: 'live' | 'echo' | 'history' }
  | { kind: 'act'; phone: number; nth: number; by: 'person' | 'business'; act: 'reaction' | 'edit' | 'deletion' }

const nth = fc.nat(7)
const phone = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('send' as const), phone }),
  fc.record({
    kind: fc.constant('move' as const),
    nth,
    to: fc.constantFrom('accepted', 'refused', 'expired', 'outcome_unknown', 'outcome_stays_unknown'),
  }),
  fc.record({ kind: fc.constant('status' as const), nth, status: fc.constantFrom('sent', 'delivered', 'read', 'failed') }),
  fc.record({ kind: fc.constant('write' as const), phone, nth, origin: fc.constantFrom('live', 'echo', 'history') }),
  fc.record({
    kind: fc.constant('act' as const),
    phone,
    nth,
    by: fc.constantFrom('person', 'business'),
    act: fc.constantFrom('reaction', 'edit', 'deletion'),
  }),
)

describe('the feed', () => {
  test('has whatever happens to a message, in the transaction in which it happens', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        run += 1
        const sent: Uuid[] = []
        // Few, so that echoes, answers, notices and acts meet.
        const wamid = (n: number) => `wamid.${run}.${stage.accountId}.${n}` as Wamid
        for (const [i, each] of steps.entries()) await take1(each, i, sent, wamid)
        expect(await missing()).toEqual([])
      }),
      { numRuns: 25 },
    )
    const [{ seen } = { seen: 0 }] = await sql<{ seen: number }>(own.database, 'select count(*)::integer as seen from seen')
    expect(seen).toBeGreaterThan(100)
  })

  const take1 = async (each: Step, i: number, sent: Uuid[], wamid: (n: number) => Wamid): Promise<void> => {
    const at = clock.now()
    const of = (n: number) => present(phones[n], 'one of two')
    switch (each.kind) {
      case 'send':
        return void sent.push(await send(deps, stage, of(each.phone)))
      case 'move': {
        const id = sent[each.nth % Math.max(sent.length, 1)]
        if (id !== undefined) await move(id, moveTo(each.to, wamid(each.nth), at))
        return
      }
      case 'status': {
        const { accountId, channelId } = stage
        const status = {
          accountId,
          channelId,
          livemode: true,
          wamid: wamid(each.nth),
          status: each.status,
          at,
          opaque: null,
          pricing: null,
        }
        const error = each.status === 'failed' ? { code: 131026, message: 'Undeliverable' } : null
        await own.database.transaction((tx) => applyStatuses(tx, clock, [{ ...status, error }]))
        return
      }
      case 'write': {
        const told = { wamid: wamid(each.nth), origin: each.origin, opensWindow: each.origin === 'live' }
        const status = each.origin === 'echo' ? ({ status: 'sent' } as const) : {}
        return take(deps, { messages: [written(deps, stage, of(each.phone), { ...told, ...status })] })
      }
      case 'act': {
        const act =
          each.act === 'reaction'
            ? { kind: 'reaction' as const, emoji: '👍' }
            : each.act === 'edit'
              ? { kind: 'edit' as const, text: 'Novo' }
              : { kind: 'deletion' as const }
        const { accountId, channelId, livemode, person: who } = written(deps, stage, of(each.phone))
        const place = { accountId, channelId, livemode, person: who, at, opensWindow: false }
        return take(deps, { acts: [{ ...place, act, by: each.by, wamid: `${wamid(each.nth)}.act${i}` as Wamid, target: wamid(each.nth) }] })
      }
    }
  }

  test('has an echo that gives way to our own send', async () => {
    const wamid = `wamid.echo.${stage.accountId}` as Wamid
    const id = await send(deps, stage, phones[0] ?? '')
    await take(deps, { messages: [written(deps, stage, phones[0] ?? '', { wamid, origin: 'echo', status: 'sent', opensWindow: false })] })
    await sql(own.database, 'delete from seen')
    await move(id, { kind: 'accepted', wamid, at: clock.now() })
    expect(await sql(own.database, 'select from message where account_id = $1', [stage.accountId])).toHaveLength(1)
    expect(await sql(own.database, 'select from seen where message_id <> $1', [id])).toHaveLength(1)
    expect(await missing()).toEqual([])
  })

  test('has the files that were given up and those that are tried again', async () => {
    await take(deps, { messages: [written(deps, stage, phones[0] ?? '')] })
    const [message] = await sql<{ id: Uuid }>(own.database, 'select id from message where account_id = $1', [stage.accountId])
    const id = present(message, 'it was written').id
    const { accountId, channelId } = stage
    const fetch = {
      accountId,
      messageId: id,
      channelId,
      livemode: true,
      upstreamId: '1',
      sha256: null,
      mimeType: null,
      fileName: null,
      kind: 'image' as const,
    }
    await own.database.transaction((tx) => queueFileFetches(tx, [fetch], clock.now()))
    const again = () => retryFile({ ...deps, wakeFiles: () => {} }, { accountId, livemode: true, id })
    expect(await again()).toMatchObject({ ok: false, refusal: { code: 'conflict' } })
    await own.database.transaction((tx) => giveUpFetch(tx, fetch, 10))
    await sql(own.database, 'delete from seen')
    expect(await again()).toMatchObject({ ok: true })
    expect(await missing()).toEqual([])
    expect(await sql(own.database, 'select from seen')).toHaveLength(1)
  })

  test('has one row for each account and mode of a transaction', async () => {
    const other = await newStage(own.database, clock)
    const before = (await sql<{ amount: number }>(own.database, 'select count(*)::integer as amount from message_change'))[0]?.amount ?? 0
    await take(deps, { messages: [...phones, ...phones].flatMap((each) => [written(deps, stage, each), written(deps, other, each)]) })
    const after = (await sql<{ amount: number }>(own.database, 'select count(*)::integer as amount from message_change'))[0]?.amount ?? 0
    expect(after - before).toBe(2)
  })

  test('is read in one order, by account or for all, and never past a transaction that is still open', async () => {
    const start = { xid: '0', id: '00000000-0000-0000-0000-000000000000' as Uuid }
    const other = await newStage(own.database, clock)
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: wrote } = Promise.withResolvers<void>()
    const early = own.database.transaction(async (tx) => {
      await take(deps, { messages: [written(deps, other, phones[0] ?? '')] }, tx)
      wrote()
      await held
    })
    await isWritten
    await take(deps, { messages: [written(deps, stage, phones[0] ?? '')] })
    const read = async () => readChanges(own.database, start, await endOfFeed(own.database), 10_000)
    const accountsRead = async () => (await read()).map((row) => row.accountId)
    expect(await accountsRead()).not.toContain(stage.accountId)
    letGo()
    await early
    await expect.poll(accountsRead).toContain(stage.accountId)
    const all = await read()
    const last = present(all.at(-1), 'there are some')
    expect(all.findIndex((row) => row.accountId === other.accountId)).toBeLessThan(
      all.findIndex((row) => row.accountId === stage.accountId),
    )
    const ours = all.filter((row) => row.accountId === stage.accountId)
    expect(await readChangesOf(own.database, [stage.accountId], { after: start, to: last }, 100)).toEqual(ours)
    const after = { xid: '0', id: present(ours[0], 'one').id }
    expect(await readChangesBetween(own.database, { accountId: stage.accountId, livemode: true }, { after, to: last }, 100)).toEqual(ours)
    expect(await readChangesBetween(own.database, { accountId: stage.accountId, livemode: true }, { after, to: last }, 0)).toBe(null)
  })

  test('is not held up by a transaction of another database of the server, however long that stays open', async () => {
    const other = await testDatabase()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>()
    const stranger = other.database.transaction(async (tx) => {
      await sql(tx, 'select pg_current_xact_id()')
      opened()
      await held
    })
    await isOpen
    await take(deps, { messages: [written(deps, stage, phones[0] ?? '')] })
    const start = { xid: '0', id: '00000000-0000-0000-0000-000000000000' as Uuid }
    const accountsRead = async () =>
      (await readChanges(own.database, start, await endOfFeed(own.database), 10_000)).map((row) => row.accountId)
    const [{ oldest } = { oldest: '' }] = await sql<{ oldest: string }>(
      own.database,
      'select pg_snapshot_xmin(pg_current_snapshot())::text as oldest',
    )
    expect(await accountsRead()).toContain(stage.accountId)
    expect(BigInt((await endOfFeed(own.database)).xid)).toBeGreaterThan(BigInt(oldest))
    letGo()
    await stranger
    await other.close()
  })

  test('never passes a transaction that writes beside it, whatever is read between', async () => {
    const writers = Array.from({ length: 8 }, async (_each, i) => {
      for (let n = 0; n < 15; n += 1)
        await own.database.transaction(async (tx) => {
          await take(deps, { messages: [written(deps, stage, `55119700001${i}${n}`.slice(0, 13))] }, tx)
          if (n % 3 === 0) await sql(tx, 'select pg_sleep(0.02)')
        })
    })
    let isOver = false
    const all = Promise.all(writers).then(() => {
      isOver = true
    })
    let place = { xid: '0', id: '00000000-0000-0000-0000-000000000000' as Uuid }
    const seen = new Set<Uuid>()
    for (let isLast = false; ; isLast = isOver) {
      for (const row of await readChanges(own.database, place, await endOfFeed(own.database), 10_000)) {
        seen.add(row.id)
        place = row
      }
      if (isLast) break
    }
    await all
    const rows = await sql<{ id: Uuid }>(own.database, 'select id from message_change')
    expect(rows.filter((row) => !seen.has(row.id))).toEqual([])
  })
})

function moveTo(to: (Step & { kind: 'move' })['to'], wamid: Wamid, at: Date): Move {
  switch (to) {
    case 'accepted':
      return { kind: 'accepted', wamid, at }
    case 'refused':
      return { kind: 'refused', code: 131009, message: 'Wrong', at }
    case 'outcome_unknown':
      return { kind: 'outcome_unknown', intentAt: at }
    default:
      return { kind: to, at }
  }
}
