import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { queuedText } from '../../../test/support/messages.ts'
import { newStage, person, type Stage, sql, textTo } from '../../../test/support/stage.ts'
import { systemClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import { suspendAccount } from '../accounts/public.ts'
import { markDisconnected } from '../channels/public.ts'
import { diagnose } from './diagnose.ts'
import { unknownText } from './move.ts'
import { sendMessages } from './send.ts'
import { readTimeline } from './timeline.ts'
import type { TimelineFacts } from './timeline-facts.ts'
import { timelineJson } from './timeline-wire.ts'

const clock = systemClock()
let own: TestDatabase
let stage: Stage

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  stage = await newStage(own.database, clock)
})

async function accept(phone: string): Promise<Uuid> {
  await person(own.database, clock, stage, phone)
  const send = textTo(clock, stage, phone)
  await sendMessages({ database: own.database, clock, wakeLanes: () => {} }, [send])
  return send.id
}

const timelineOf = async (id: Uuid) => {
  const timeline = await readTimeline({ database: own.database, clock }, { accountId: stage.accountId, livemode: true, id })
  if (!timeline.ok) throw new Error(timeline.refusal.message)
  return timeline.value
}
const stateOf = async (id: Uuid) => {
  const { waiting, diagnosis } = await timelineOf(id)
  return [diagnosis.code, waiting?.because, waiting?.ahead]
}

describe('a send that waits', () => {
  test('says how many are before it, and that its turn has not come', async () => {
    const [first, second] = [await accept('5511987650001'), await accept('5511987650002')]
    expect(await stateOf(first)).toEqual(['waiting_for_pace', 'pace', 0])
    expect(await stateOf(second)).toEqual(['waiting_for_pace', 'pace', 1])
  })

  test('says what holds it back', async () => {
    const id = await accept('5511987650003')
    await sql(own.database, 'update send_queue set attempt = 1 where message_id = $1', [id])
    expect((await stateOf(id))[0]).toBe('upstream_asked_to_wait')
    await own.database.transaction((tx) =>
      markDisconnected(tx, [{ accountId: stage.accountId, channelId: stage.channelId, because: 'gone', at: clock.now() }]),
    )
    expect((await stateOf(id))[0]).toBe('channel_not_connected')
    await suspendAccount({ database: own.database, clock }, stage.accountId)
    expect((await stateOf(id))[0]).toBe('account_suspended')
    await sql(own.database, 'update send_queue set state = 1, intent_at = now() where message_id = $1', [id])
    expect(await stateOf(id)).toEqual(['being_sent', 'being_sent', null])
    await sql(own.database, 'update send_queue set state = 2 where message_id = $1', [id])
    expect(await stateOf(id)).toEqual(['unknown_outcome', 'unknown_outcome', null])
  })
})

describe('the diagnosis', () => {
  const facts = (more: Partial<TimelineFacts['message']>, other: Partial<TimelineFacts> = {}): TimelineFacts => ({
    message: { ...queuedText(clock.now()), ...more },
    waiting: null,
    attempts: [],
    fetch: null,
    events: [],
    ...other,
  })
  const failed = (code: number | null, message = 'no') => diagnose(facts({ status: 'failed', error: { code, message } })).code

  test('of a failure follows its code', () => {
    expect([failed(131026), failed(131047), failed(131049), failed(131042), failed(131053)]).toEqual([
      ...['not_on_whatsapp', 'window_closed', 'held_back_by_platform', 'payment_problem', 'file_refused'],
    ])
    expect([failed(132000), failed(190), failed(100), failed(null), failed(null, unknownText)]).toEqual([
      ...['template_problem', 'channel_problem', 'upstream_refused', 'upstream_refused', 'unknown_outcome'],
    ])
  })

  test('of a send that expired names the last code that upstream gave', () => {
    const attempts = [{ n: 1, startedAt: clock.now(), ms: 3, outcome: 'not_accepted', statusCode: 429, code: 130429 }]
    expect(diagnose(facts({ status: 'failed', error: { code: null, message: 'late' } }, { attempts })).errorCode).toBe(130429)
    expect(diagnose(facts({ status: 'delivered' }, { attempts }))).toEqual({ code: 'delivered', errorCode: null, message: null })
  })

  test('of a received message follows its file and its webhooks', () => {
    const inbound = { direction: 'inbound', status: 'received' } as const
    const fetch = { tries: 1, nextAt: clock.now(), givenUp: false, createdAt: clock.now() }
    expect(diagnose(facts(inbound)).code).toBe('received')
    expect(diagnose(facts(inbound, { fetch })).code).toBe('file_not_fetched_yet')
    expect(diagnose(facts(inbound, { fetch: { ...fetch, givenUp: true } })).code).toBe('file_given_up')
    const id = stage.accountId
    const delivery = { id, webhookId: id, status: 'pending', nextAt: clock.now(), url: null, attempts: [] } as const
    const events = [{ id, type: 'message.received', createdAt: clock.now(), deliveries: [delivery] }] as const
    expect(diagnose(facts(inbound, { events })).code).toBe('webhook_pending')
  })
})

describe('the order of a timeline', () => {
  test('what the platform says of a send stands after the send, though its seconds are whole', async () => {
    const id = await accept('5511987650009')
    await sql(
      own.database,
      `update message set status = 'failed', sent_at = '2026-11-28T12:00:00.400Z', failed_at = '2026-11-28T12:00:00Z', error_message = 'Undeliverable.'
      where id = $1`,
      [id],
    )
    const timeline = await timelineOf(id)
    const early = { ...timeline, message: { ...timeline.message, createdAt: new Date('2026-11-28T12:00:00.300Z') } }
    const { entries } = timelineJson(early, { wholeUrls: true })
    expect(entries.map((each) => each.status ?? each.kind)).toEqual(['accepted', 'queued', 'sent', 'failed'])
  })
})
