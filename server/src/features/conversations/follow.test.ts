import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { followed, send, take, written } from '../../../test/support/inbox-stage.ts'
import { newStage, person, type Stage, sql } from '../../../test/support/stage.ts'
import { present } from '../../base/assert.ts'
import { systemClock } from '../../base/clock.ts'
import { newUuid, type Uuid } from '../../base/id.ts'
import { learnFromAnswers } from '../contacts/public.ts'
import { findMessageFacts } from '../messages/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import { createFollower, type Following, followOnce } from './follow.ts'
import { conversationFollowing, searchFollowing } from './lanes.ts'

const clock = systemClock()
let own: TestDatabase
let deps: { database: TestDatabase['database']; clock: typeof clock }
let stage: Stage
let phone: string
let phones = 0

beforeAll(async () => {
  own = await testDatabase()
  deps = { database: own.database, clock }
  stage = await newStage(own.database, clock)
})
afterAll(() => own.close())
beforeEach(() => {
  phones += 1
  phone = `55119${String(70_000_000 + phones)}`
})

type Shown = { id: Uuid; state: string; unread: number; last_message_id: Uuid; snoozed_until: Date | null }
const conversations = () =>
  sql<Shown>(
    own.database,
    `select conversation.id, state, unread, last_message_id, snoozed_until from conversation join contact on contact.id = contact_id where phone = $1`,
    [phone],
  )
const write = (text = 'Oi!') => take(deps, { messages: [written(deps, stage, phone, { text })] })
const messages = () =>
  sql<{ id: Uuid; direction: string }>(
    own.database,
    'select message.id, direction from message join contact on contact.id = contact_id where phone = $1 order by message.id',
    [phone],
  )
const change = (set: string) =>
  sql(own.database, `update conversation set ${set} where contact_id in (select id from contact where phone = $1)`, [phone])

describe('a conversation', () => {
  test('is opened by what a person writes, which counts as unread', async () => {
    await write()
    await write()
    await followed(deps)
    const [found] = await conversations()
    expect(found).toMatchObject({ state: 'open', unread: 2, last_message_id: (await messages())[1]?.id })
  })

  test('that the API begins is quiet until the person writes', async () => {
    await person(own.database, clock, stage, phone)
    await send(deps, stage, phone)
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'closed', unread: 0 }])
    await write()
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'open', unread: 1 }])
  })

  test('is opened and answered by what the team writes', async () => {
    await write()
    await followed(deps)
    await change("state = 'closed', snoozed_until = null")
    await send(deps, stage, phone, { source: 'chat', author: newUuid(clock.now()) })
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'open', unread: 0 }])
  })

  test('stays unread where the API answers, and is read where the phone does', async () => {
    await write()
    await send(deps, stage, phone)
    await followed(deps)
    expect(await conversations()).toMatchObject([{ unread: 1 }])
    await take(deps, { messages: [written(deps, stage, phone, { origin: 'echo', status: 'sent', opensWindow: false })] })
    await followed(deps)
    expect(await conversations()).toMatchObject([{ unread: 0 }])
  })

  test('wakes from its snooze and is opened anew when the person writes', async () => {
    await write()
    await followed(deps)
    await change("snoozed_until = now() + interval '1 day'")
    await write()
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'open', snoozed_until: null }])
    await change("state = 'closed'")
    await write()
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'open', unread: 3 }])
  })

  test('of a history is quiet', async () => {
    await take(deps, { messages: [written(deps, stage, phone, { origin: 'history', opensWindow: false })] })
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'closed', unread: 0 }])
  })

  test('of a person who turns out to be another is one, with all that is unread, the labels and the notes of both', async () => {
    const userId = `BR.${phone}`
    await write()
    await take(deps, {
      messages: [written(deps, stage, phone, { person: { accountId: stage.accountId, livemode: true, waId: null, userId, name: null } })],
    })
    await followed(deps)
    const before = await sql<{ id: Uuid; contact_id: Uuid }>(
      own.database,
      'select id, contact_id from conversation where contact_id in (select id from contact where phone = $1 or user_id = $2)',
      [phone, userId],
    )
    expect(before).toHaveLength(2)
    await sql(own.database, "update conversation set labels = array[id::text], state = 'closed' where id = any($1::uuid[])", [
      before.map((each) => each.id),
    ])
    for (const each of before)
      await sql(own.database, "insert into conversation_note values ($1, $2, $3, $2, 'Nota')", [
        stage.accountId,
        newUuid(clock.now()),
        each.id,
      ])
    await own.database.transaction((tx) =>
      learnFromAnswers(tx, { clock, follow: followPeople }, [
        { accountId: stage.accountId, livemode: true, input: phone, waId: phone as never, userId, at: clock.now() },
      ]),
    )
    await write()
    await followed(deps)
    const after = await conversations()
    expect(after).toMatchObject([{ state: 'open', unread: 3 }])
    const [joined] = await sql<{ labels: string[] }>(own.database, 'select labels from conversation where id = $1', [after[0]?.id])
    expect(joined?.labels.toSorted()).toEqual(before.map((each) => each.id).toSorted())
    const notes = await sql(own.database, 'select from conversation_note where conversation_id = $1', [after[0]?.id])
    expect(notes).toHaveLength(2)
  })
})

describe('following', () => {
  test('passes over nothing that commits after what began later', async () => {
    const second = `${phone.slice(0, -1)}${(Number(phone.at(-1)) + 5) % 10}`
    let first: Promise<void> | null = null
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const { promise: isWritten, resolve: wrote } = Promise.withResolvers<void>()
    first = own.database.transaction(async (tx) => {
      await take(deps, { messages: [written(deps, stage, phone)] }, tx)
      wrote()
      await held
    })
    await isWritten
    // Another number, so that neither waits for the other.
    const other = await newStage(own.database, clock)
    await take(deps, { messages: [written(deps, other, second)] })
    await followOnce(deps, conversationFollowing)
    expect(await sql(own.database, 'select from conversation where account_id = $1', [other.accountId])).toEqual([])
    letGo()
    await first
    await followed(deps)
    expect(await conversations()).toHaveLength(1)
    expect(await sql(own.database, 'select from conversation where account_id = $1', [other.accountId])).toHaveLength(1)
  })

  test('is done by one at a time, and each change has its effect once however many try', async () => {
    for (let i = 0; i < 10; i += 1) await write(`Oi ${i}`)
    await Promise.all(Array.from({ length: 6 }, () => followed(deps)))
    expect(await conversations()).toMatchObject([{ unread: 10 }])
    // What the team closes stays closed: nothing is folded a second time.
    await change("state = 'closed'")
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'closed' }])
  })

  test('that fails has done nothing, and is done again', async () => {
    await write()
    const failing = {
      ...conversationFollowing,
      fold: async (...args: Parameters<typeof conversationFollowing.fold>) => {
        await conversationFollowing.fold(...args)
        throw new Error('the disk is full')
      },
    }
    for (let i = 0; i < 20; i += 1) await followOnce(deps, failing).catch(() => {})
    expect(await conversations()).toEqual([])
    await followed(deps)
    expect(await conversations()).toMatchObject([{ unread: 1 }])
  })

  describe('of a message that the database refuses', () => {
    const refusing = (table: string, column: string) => `create function refuse() returns trigger language plpgsql as $$ begin
        if new.${column} = any(string_to_array(tg_argv[0], ',')::uuid[]) then perform 1 / 0; end if; return new; end $$;
      create trigger refuse before insert or update on ${table} for each row execute function refuse('IDS')`
    const stopRefusing = 'drop function if exists refuse cascade'
    afterEach(() => sql(own.database, stopRefusing))

    test.each([
      [conversationFollowing, 'conversation', 'last_message_id', 'last_message_id'],
      [searchFollowing, 'message_search', 'message_id', 'message_id'],
    ] as const)('$0.name sets it aside, and goes on with all that is beside and behind it', async (following, table, column, shown) => {
      await followed(deps)
      const first = phones
      const all: Uuid[] = []
      const writeOfNext = async (count: number) => {
        const notices = Array.from({ length: count }, () => {
          phones += 1
          return written(deps, stage, `55119${70_000_000 + phones}`)
        })
        await take(deps, { messages: notices })
        const wamids = notices.map((each) => each.wamid)
        const rows = await sql<{ id: Uuid }>(own.database, 'select id from message where wamid = any($1)', [wamids])
        all.push(...rows.map((each) => each.id).toSorted())
      }
      await writeOfNext(9)
      const bad = [present(all[3], 'written'), present(all[7], 'written')]
      await sql(own.database, refusing(table, column).replace('IDS', bad.join(',')))
      const aside: Uuid[] = []
      const step = async () => aside.push(...(await followOnce(deps, following)).aside.map((each) => each.id))
      await step()
      await writeOfNext(2)
      await step()
      const found = await sql<{ id: Uuid }>(own.database, `select ${shown} as id from ${table} where ${shown} = any($1::uuid[])`, [all])
      expect(phones - first).toBe(11)
      expect(aside.toSorted()).toEqual(bad.toSorted())
      expect(found.map((each) => each.id).toSorted()).toEqual(all.filter((each) => !bad.includes(each)).toSorted())
    })
  })

  test('that takes too long goes on in smaller steps, down to one message, and grows again', async () => {
    await followed(deps)
    await take(deps, { messages: Array.from({ length: 8 }, () => written(deps, stage, phone)) })
    const sizes: number[] = []
    let isSlow = true
    const slow: Following = {
      ...conversationFollowing,
      messagesMax: 8,
      fold: async (tx, some, options) => {
        sizes.push(some.length)
        const ask = (text: string) => tx.all({ compile: () => ({ sql: text, parameters: [] }) as never })
        await ask('set local statement_timeout = 50')
        if (isSlow && some.length > 1) await ask('select pg_sleep(10)')
        await ask('set local statement_timeout = 10000')
        await conversationFollowing.fold(tx, some, options)
      },
    }
    const follower = createFollower(deps, slow)
    for (let i = 0; i < 3; i += 1) await follower.step().catch(() => {})
    expect(sizes).toEqual([8, 2, ...Array(8).fill(1)])
    expect(await conversations()).toMatchObject([{ unread: 8 }])
    isSlow = false
    await take(deps, { messages: Array.from({ length: 8 }, () => written(deps, stage, phone)) })
    await follower.step()
    expect(sizes.slice(10)).toEqual([2, 2, 2, 2])
  })

  test('ends where a conversation is neither found nor can be made', async () => {
    await write()
    await sql(own.database, 'create function nothing() returns trigger language plpgsql as $$ begin return null; end $$')
    await sql(own.database, 'create trigger nothing before insert on conversation for each row execute function nothing()')
    await expect(followOnce(deps, conversationFollowing)).rejects.toThrow('neither found')
    await sql(own.database, 'drop function nothing cascade')
    await followed(deps)
    expect(await conversations()).toMatchObject([{ unread: 1 }])
  })

  test('sweeps through all messages where the feed was lost, and opens only what is new', async () => {
    await write('antes')
    await followed(deps)
    await change("state = 'closed', unread = 0, read_to = last_message_id")
    const closed = phone
    phone = `${phone.slice(0, 5)}6${phone.slice(6)}`
    await write('perdida')
    await sql(own.database, 'delete from message_change')
    await sql(own.database, "update feed_follower set xid = '9000000000000'")
    await followed(deps)
    expect(await conversations()).toMatchObject([{ state: 'open', unread: 1 }])
    phone = closed
    expect(await conversations()).toMatchObject([{ state: 'closed', unread: 0 }])
  })

  test('lets a search find what is said now', async () => {
    await write('Ação de graças')
    await followed(deps)
    const words = () =>
      sql<{ words: string }>(own.database, 'select words from message_search join contact on contact.id = contact_id where phone = $1', [
        phone,
      ])
    expect(await words()).toEqual([{ words: ' acao de gracas' }])
    const [message] = await messages()
    const [{ wamid } = { wamid: '' }] = await sql<{ wamid: string }>(own.database, 'select wamid from message where id = $1', [message?.id])
    const { person: who, accountId, channelId, livemode } = written(deps, stage, phone)
    const act = { accountId, channelId, livemode, person: who, target: wamid as never, by: 'person' as const, opensWindow: false }
    await take(deps, { acts: [{ ...act, wamid: `${wamid}-e` as never, at: clock.now(), act: { kind: 'edit', text: 'Outra coisa' } }] })
    await followed(deps)
    expect(await words()).toEqual([{ words: ' outra coisa' }])
    await take(deps, { acts: [{ ...act, wamid: `${wamid}-d` as never, at: clock.now(), act: { kind: 'deletion' } }] })
    await followed(deps)
    expect(await words()).toEqual([])
    const facts = await findMessageFacts(own.database, [{ accountId: stage.accountId, id: present(message, 'it was written').id }])
    expect(facts).toHaveLength(1)
  })
})
