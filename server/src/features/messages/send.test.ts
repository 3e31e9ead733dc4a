import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type LossyConnection, lossyConnection } from '../../../test/support/lossy-connection.ts'
import { newStage, noTemplates, person, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { findUsageDifferences } from '../../../test/support/usage-differences.ts'
import { manualClock, systemClock } from '../../base/clock.ts'
import { formatId, newUuid, type Uuid } from '../../base/id.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { suspendAccount } from '../accounts/public.ts'
import { dropExpiredAnswers } from './accept-store.ts'
import type { Wamid } from './message.ts'
import { sendMessages } from './send.ts'
import type { LaneHint } from './send-queue.ts'
import type { Send } from './send-request.ts'
import { createSender } from './sender.ts'
import { writeAccepted } from './write-accepted.ts'

// Today, because the test database has today's partitions.
const clock = manualClock(new Date().toISOString())
let own: TestDatabase
let lossy: LossyConnection
let overLossy: Database
let stage: Stage
let woken: LaneHint[]
const ana = '5511987654321'
const bia = '5511987654322'

beforeAll(async () => {
  own = await testDatabase()
  lossy = await lossyConnection(own.connection)
  overLossy = openDatabase({ connection: lossy.connection, clock: systemClock(), observe: () => {}, connectionsMax: 4 })
})
afterAll(async () => {
  await overLossy.close()
  await lossy.close()
  await own.close()
})
beforeEach(async () => {
  stage = await newStage(own.database, clock)
  await person(own.database, clock, stage, ana)
  await person(own.database, clock, stage, bia)
  woken = []
})
afterEach(async () => {
  // rule: usage 5. Only what acceptance counts: a test here moves a message by hand.
  const differences = await findUsageDifferences(own.database, stage.accountId)
  expect(differences.filter((each) => each.kind === 'accepted')).toEqual([])
})

const deps = (database = own.database) => ({ database, clock, wakeLanes: (lanes: readonly LaneHint[]) => void woken.push(...lanes) })
const send = (...sends: Send[]) => sendMessages(deps(), sends)
const text = (phone: string, more: Parameters<typeof textTo>[3] = {}) => textTo(clock, stage, phone, more)
const bodyOf = (result: Awaited<ReturnType<typeof sendMessages>>[number] | undefined) => {
  if (!result?.ok) throw new Error(`refused: ${result?.refusal.code}`)
  return result.value.body
}
const codeOf = (result: Awaited<ReturnType<typeof sendMessages>>[number] | undefined) => (result?.ok ? 'ok' : result?.refusal.code)
const countOf = async (table: 'message' | 'send_queue' | 'idempotency') =>
  (await sql<{ n: number }>(own.database, `select count(*) as n from ${table} where account_id = $1`, [stage.accountId]))[0]?.n
const counts = async () => [await countOf('message'), await countOf('send_queue'), await countOf('idempotency')]
const queue = () =>
  sql<{ message_id: Uuid; recipient: string; state: number; expires_at: Date; seq: number }>(
    own.database,
    'select message_id, recipient, state, expires_at, seq from send_queue where account_id = $1 order by seq',
    [stage.accountId],
  )

describe('accepting', () => {
  test('answers the queued message, writes it with its place in the queue, and wakes its lane', async () => {
    const one = text('551187654321', { clientReference: 'order 1' })
    const [result] = await send(one)
    expect(JSON.parse(bodyOf(result))).toMatchObject({
      id: formatId('msg', one.id),
      status: 'queued',
      contact: { phone: ana },
      client_reference: 'order 1',
      source: 'api',
      wamid: null,
      sent_at: null,
    })
    const [row] = await queue()
    expect(row).toMatchObject({ message_id: one.id, recipient: '551187654321', state: 0 })
    expect(row?.expires_at.getTime()).toBe(clock.now().getTime() + 900_000)
    expect(woken).toMatchObject([{ channelId: stage.channelId, livemode: true }])
  })

  test('keeps the order of the list in the queue', async () => {
    const sends = Array.from({ length: 50 }, (_, n) => text(n % 2 === 0 ? ana : bia))
    await send(...sends)
    expect((await queue()).map((row) => row.message_id)).toEqual(sends.map((each) => each.id))
  })

  test('makes a new person once, however many sends of one batch go to them, with the first name given', async () => {
    const stranger = '4915112345678'
    const sends = [text(stranger, { livemode: false, contactName: 'Uwe' }), text(stranger, { livemode: false, contactName: 'Other' })]
    const results = await send(...sends)
    for (const result of results) expect(JSON.parse(bodyOf(result)).contact).toEqual({ phone: stranger, name: 'Uwe' })
  })

  test('of a mixed batch refuses what is refused and accepts the rest', async () => {
    const results = await send(text('4915112345678'), text(ana), text(ana, { channelId: newUuid(clock.now()) }), text(bia))
    expect(results.map(codeOf)).toEqual(['outside_customer_service_window', 'ok', 'not_found', 'ok'])
    expect(await countOf('message')).toBe(2)
  })

  test('of a suspended account or to someone unknown is refused and leaves nothing', async () => {
    expect((await send(text(ana, { recipient: { kind: 'user_id', userId: 'BR.1' } }))).map(codeOf)).toEqual(['not_found'])
    await suspendAccount({ database: own.database, clock }, stage.accountId)
    expect((await send(text(ana, { key: 'k' }))).map(codeOf)).toEqual(['account_suspended'])
    expect(await counts()).toEqual([0, 0, 0])
  })

  test('quotes a message of this account and mode, and passes an unknown wamid on', async () => {
    const quoted = text(ana)
    await send(quoted)
    const other = await newStage(own.database, clock)
    await person(own.database, clock, other, ana)
    const unknown = { kind: 'wamid', wamid: 'wamid.UNKNOWN' as Wamid, isSure: true } as const
    const results = await send(
      text(ana, { replyTo: { kind: 'id', id: quoted.id } }),
      text(ana, { replyTo: { kind: 'id', id: newUuid(clock.now()) } }),
      text(ana, { replyTo: unknown }),
      text(ana, { livemode: false, replyTo: { kind: 'id', id: quoted.id } }),
      textTo(clock, other, ana, { replyTo: { kind: 'id', id: quoted.id } }),
    )
    expect(results.map(codeOf)).toEqual(['ok', 'not_found', 'ok', 'not_found', 'not_found'])
    expect(JSON.parse(bodyOf(results[0])).reply_to).toBe(formatId('msg', quoted.id))
    expect(JSON.parse(bodyOf(results[2])).reply_to).toBeNull()
  })

  test('needs a channel_id once there are several numbers', async () => {
    const { channelId } = await stage.addNumber()
    const results = await send(text(ana), text(ana, { channelId: stage.channelId }), text(ana, { channelId }))
    // The window is per channel: nobody wrote to the second number.
    expect(results.map(codeOf)).toEqual(['channel_ambiguous', 'ok', 'outside_customer_service_window'])
  })

  test('a test number that waits out its time expires at once', async () => {
    await send(text('5511900000015', { livemode: false }))
    expect((await queue())[0]?.expires_at).toEqual(clock.now())
  })
})

describe('an idempotency key', () => {
  // rule: send 1
  test('used again with the same body gives the first answer byte for byte and writes nothing', async () => {
    const first = await send(text(ana, { key: 'k' }))
    clock.advance(5_000)
    const again = await send(text(ana, { key: 'k' }))
    expect(again[0]).toEqual({ ok: true, value: { body: bodyOf(first[0]), replayed: true } })
    expect(first[0]).toMatchObject({ value: { replayed: false } })
    expect(await counts()).toEqual([1, 1, 1])
  })

  test('used twice in one batch is one send', async () => {
    const results = await send(text(ana, { key: 'k' }), text(bia), text(ana, { key: 'k' }))
    expect(bodyOf(results[2])).toBe(bodyOf(results[0]))
    expect(results.map((each) => each.ok && each.value.replayed)).toEqual([false, false, true])
    expect(await counts()).toEqual([2, 2, 1])
  })

  // rule: send 2
  test('used with another body is a conflict, in one batch and across batches', async () => {
    const results = await send(text(ana, { key: 'k' }), text(ana, { key: 'k', text: 'other' }))
    expect(results.map(codeOf)).toEqual(['ok', 'idempotency_conflict'])
    expect((await send(text(bia, { key: 'k' }))).map(codeOf)).toEqual(['idempotency_conflict'])
    expect(await counts()).toEqual([1, 1, 1])
  })

  test('is of one account and mode', async () => {
    const other = await newStage(own.database, clock)
    await person(own.database, clock, other, ana)
    const results = await send(text(ana, { key: 'k' }), text(ana, { key: 'k', livemode: false }), textTo(clock, other, ana, { key: 'k' }))
    expect(results.map((each) => each.ok && each.value.replayed)).toEqual([false, false, false])
  })

  test('is of one account and mode also when the sends come one after the other', async () => {
    const other = await newStage(own.database, clock)
    await person(own.database, clock, other, ana)
    for (const one of [text(ana, { key: 'k' }), text(ana, { key: 'k', livemode: false }), textTo(clock, other, ana, { key: 'k' })])
      expect((await send(one)).map((each) => each.ok && each.value.replayed)).toEqual([false])
  })

  // rule: send 4
  test('of a refused send is not kept: once the reason is gone it sends, also with another body', async () => {
    const stranger = '5511987650000'
    expect((await send(text(stranger, { key: 'k' }))).map(codeOf)).toEqual(['outside_customer_service_window'])
    await person(own.database, clock, stage, stranger)
    expect((await send(text(stranger, { key: 'k', text: 'other' }))).map(codeOf)).toEqual(['ok'])
  })

  test('of a refused send in the same batch leaves a second one with another body on its own', async () => {
    const results = await send(text('5511987650001', { key: 'k' }), text('5511987650001', { key: 'k' }), text(ana, { key: 'k' }))
    expect(results.map(codeOf)).toEqual(['outside_customer_service_window', 'outside_customer_service_window', 'ok'])
  })

  test('is forgotten after 24 hours and not before', async () => {
    await send(text(ana, { key: 'k' }))
    clock.advance(86_399_999)
    await person(own.database, clock, stage, ana)
    await dropExpiredAnswers(own.database, clock)
    expect((await send(text(ana, { key: 'k' })))[0]).toMatchObject({ value: { replayed: true } })
    clock.advance(1)
    expect((await send(text(ana, { key: 'k' })))[0]).toMatchObject({ value: { replayed: false } })
    expect(await countOf('message')).toBe(2)
    clock.advance(86_400_000)
    await dropExpiredAnswers(own.database, clock)
    expect(await countOf('idempotency')).toBe(0)
  })

  test('is forgotten at once together with all others whose time is over, however many there are', async () => {
    await sql(
      own.database,
      `insert into idempotency (account_id, livemode, key, body_hash, status_code, response, expires_at)
      select $1, true, 'k' || n, '', 202, '{}', $2::timestamptz - make_interval(secs => n) from generate_series(1, 12345) as n`,
      [stage.accountId, clock.now()],
    )
    expect(await dropExpiredAnswers(own.database, clock)).toBe(false)
    expect(await countOf('idempotency')).toBe(0)
  })

  test('used by many requests at once is one send for all of them', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => send(text(ana, { key: 'k' }), text(bia))))
    const bodies = new Set(results.map(([keyed]) => bodyOf(keyed)))
    expect(bodies.size).toBe(1)
    expect(results.filter(([keyed]) => keyed?.ok && !keyed.value.replayed)).toHaveLength(1)
    expect(await counts()).toEqual([9, 9, 1])
  })

  test('used by batches that name several in different orders ends without a deadlock', async () => {
    const keys = ['a', 'b', 'c', 'd']
    const batch = (order: string[]) => send(...order.map((key) => text(ana, { key })))
    const results = await Promise.all([batch(keys), batch(keys.toReversed()), batch(keys)])
    expect(results.flat().every((each) => each.ok)).toBe(true)
    expect(await counts()).toEqual([4, 4, 4])
  })

  test('whose first transaction is still open is waited for; when that one is rolled back, the second sends', async () => {
    const first = text(ana, { key: 'k' })
    let release = () => {}
    const told = new Promise<void>((resolve) => {
      release = resolve
    })
    let written = () => {}
    const isWritten = new Promise<void>((resolve) => {
      written = resolve
    })
    const open = own.database.transaction(async (tx) => {
      const values = [stage.accountId, true, 'k', first.idempotency?.bodyHash, 202, '{}', new Date(clock.now().getTime() + 1_000)]
      await sql(tx, 'insert into idempotency values ($1, $2, $3, $4, $5, $6, $7)', values)
      written()
      await told
      throw new Error('rolled back')
    })
    await isWritten
    const second = send(text(ana, { key: 'k' }))
    release()
    await expect(open).rejects.toThrow('rolled back')
    expect((await second)[0]).toMatchObject({ ok: true, value: { replayed: false } })
  })
})

describe('a commit whose answer was lost', () => {
  test.each(['k', undefined])('leaves one message and one queue row, and is answered as accepted (key %s)', async (key) => {
    const one = text(ana, key === undefined ? {} : { key })
    lossy.loseCommitAnswers(1)
    const [result] = await sendMessages(deps(overLossy), [one, text(bia)])
    expect(JSON.parse(bodyOf(result))).toMatchObject({ id: formatId('msg', one.id), status: 'queued' })
    expect(await countOf('message')).toBe(2)
    expect(await countOf('send_queue')).toBe(2)
    if (key !== undefined) expect(bodyOf((await send(text(ana, { key })))[0])).toBe(bodyOf(result))
  })

  test('twice in a row is no more than that', async () => {
    lossy.loseCommitAnswers(2)
    await sendMessages(deps(overLossy), [text(ana, { key: 'k' })])
    expect(await counts()).toEqual([1, 1, 1])
  })

  test('never makes a second queue row for a send that has left in the meantime, and still answers it as queued', async () => {
    const one = text(ana, { key: 'k' })
    lossy.loseCommitAnswers(1)
    const repeating = {
      ...overLossy,
      repeatable: (work: Parameters<Database['repeatable']>[0]) =>
        overLossy.repeatable(async (tx, attempt) => {
          if (attempt === 2) {
            await sql(own.database, 'delete from send_queue where message_id = $1', [one.id])
            await sql(
              own.database,
              "update message set status = 'delivered', wamid = 'wamid.A', sent_at = now(), delivered_at = now() where id = $1",
              [one.id],
            )
          }
          return work(tx, attempt)
        }),
    } as Database
    const [result] = await sendMessages(deps(repeating), [one])
    expect(JSON.parse(bodyOf(result))).toMatchObject({ status: 'queued', wamid: null, sent_at: null, delivered_at: null })
    expect(await counts()).toEqual([1, 0, 1])
    expect(bodyOf((await send(text(ana, { key: 'k' })))[0])).toBe(bodyOf(result))
  })

  test('and a message that is there already gets no second queue row', async () => {
    const one = text(ana)
    await send(one)
    const again = await own.database.transaction((tx) =>
      writeAccepted(
        tx,
        [
          {
            message: { ...one, channelId: stage.channelId, contactId: one.id } as never,
            content: one.content,
            replyToWamid: null,
            recipient: ana,
            shard: 1,
            expiresAt: clock.now(),
            answer: '{}' as never,
            author: null,
            requestId: null,
            idempotency: null,
          },
        ],
        clock.now(),
      ),
    )
    expect(again.size).toBe(0)
    expect(await countOf('send_queue')).toBe(1)
  })
})

describe('a connection that is cut while its commit executes', () => {
  /** Holds every commit that queues a send, until it is released; `waiting` resolves when so many sessions wait for anything. */
  async function heldCommits() {
    await sql(
      own.database,
      `create or replace function hold_commit() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(4711); return null; end'`,
    )
    await sql(
      own.database,
      `create constraint trigger hold_commit after insert on send_queue deferrable initially deferred for each row execute function hold_commit()`,
    )
    const gate = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const held = own.database.transaction(async (tx) => {
      await sql(tx, 'select pg_advisory_xact_lock(4711)')
      closed.resolve()
      await gate.promise
    })
    await closed.promise
    const waiting = (sessions: number) =>
      vi.waitFor(async () => {
        const rows = await sql<{ n: number }>(
          own.database,
          `select count(distinct pid) as n from pg_locks join pg_database on pg_database.oid = pg_locks.database where not granted and datname = current_database()`,
        )
        expect(rows[0]?.n).toBe(sessions)
      }, 5_000)
    const release = async () => {
      gate.resolve()
      await held
      await sql(own.database, 'drop trigger hold_commit on send_queue')
    }
    return { waiting, release }
  }

  const sending = () => createSender({ ...deps(overLossy), observe: () => {}, readCategories: noTemplates })

  // rule: send 1
  test.each(['k', undefined])(
    'is answered as accepted and written once, with its neighbours, and later sends go on (key %s)',
    async (key) => {
      const commits = await heldCommits()
      const send = sending()
      lossy.cutDuringCommits(1)
      const one = text(ana, key === undefined ? {} : { key })
      const together = Promise.all([send(one), send(text(bia)), send(text('4915112345679', { livemode: false }))])
      await commits.waiting(2)
      const later = send(text(bia))
      await commits.release()
      const results = [...(await together), await later]
      expect(results.map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
      expect(results.map((each) => each.ok && each.value.replayed)).toEqual([false, false, false, false])
      expect(JSON.parse(bodyOf(results[0]))).toMatchObject({ id: formatId('msg', one.id), status: 'queued' })
      expect(await counts()).toEqual([4, 4, key === undefined ? 0 : 1])
      expect(codeOf(await send(text(ana)))).toBe('ok')
      if (key !== undefined) expect(bodyOf(await send(text(ana, { key })))).toBe(bodyOf(results[0]))
    },
  )

  test('is never refused for what changed meanwhile: it is written and will leave', async () => {
    const commits = await heldCommits()
    lossy.cutDuringCommits(1)
    const one = sending()(text(ana))
    await commits.waiting(2)
    await suspendAccount({ database: own.database, clock }, stage.accountId)
    await commits.release()
    expect(codeOf(await one)).toBe('ok')
    expect(await counts()).toEqual([1, 1, 0])
  })

  test('wakes the lanes of what was written', async () => {
    const commits = await heldCommits()
    lossy.cutDuringCommits(1)
    const one = sending()(text(ana))
    await commits.waiting(2)
    await commits.release()
    await one
    expect(woken).toMatchObject([{ channelId: stage.channelId, livemode: true }])
  })
})

test('a send whose message is there already, by an earlier try, is accepted and written no second time', async () => {
  const one = text(ana)
  const [first] = await send(one)
  const [again, neighbour] = await send(one, text(bia))
  expect([again, neighbour].map(codeOf)).toEqual(['ok', 'ok'])
  expect(again).toEqual(first)
  expect(await counts()).toEqual([2, 2, 0])
})
