import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queuedText } from '../../../test/support/messages.ts'
import { type Message, RANK, type Wamid } from './message.ts'
import { expiredText, type Move, type MoveEvent, moveMessage, type StatusMove, type UpstreamStatus, unknownText } from './move.ts'

const at = (seconds: number) => new Date(Date.parse('2026-03-02T12:00:00.000Z') + seconds * 1_000)
const wamid = 'wamid.A' as Wamid

const queued = queuedText(at(0))

const pricing = { category: 'service', billable: false }
const accepted: Move = { kind: 'accepted', wamid, at: at(1) }
const refused: Move = { kind: 'refused', code: 131047, message: 'closed', at: at(1) }
const expired: Move = { kind: 'expired', at: at(900) }
const lost: Move = { kind: 'outcome_unknown', intentAt: at(1) }
const notAccepted: Move = { kind: 'not_accepted' }
const givenUp: Move = { kind: 'outcome_stays_unknown', at: at(1_020) }
const moments = { sent: 2, delivered: 3, failed: 4, read: 5 }
const notice = (status: UpstreamStatus, more: Partial<StatusMove> = {}): Move => ({
  kind: 'status',
  status,
  wamid,
  at: at(moments[status]),
  pricing: null,
  error: status === 'failed' ? { code: 131026, message: 'undeliverable' } : null,
  // As applyMoves gives it while the outcome is unknown.
  intentAt: at(1),
  ...more,
})

function after(moves: readonly Move[], message = queued): { message: Message; events: MoveEvent[] } {
  const events: MoveEvent[] = []
  let now = message
  for (const move of moves) {
    const moved = moveMessage(now, move)
    if (moved === null) continue
    now = moved.message
    events.push(...moved.events)
  }
  return { message: now, events }
}

const isSet = ({ sentAt, deliveredAt, readAt, failedAt }: Message) =>
  [sentAt, deliveredAt, readAt, failedAt].map((moment) => moment !== null)

describe('an answer', () => {
  test('with a wamid makes it sent at that moment and tells it once', () => {
    const { message, events } = after([accepted, { ...accepted, at: at(2) }])
    expect(message).toMatchObject({ status: 'sent', wamid, sentAt: at(1) })
    expect(events).toEqual(['message.sent'])
  })

  test('that refuses makes it failed with its code', () => {
    const { message, events } = after([refused, refused])
    expect(message).toMatchObject({ status: 'failed', error: { code: 131047, message: 'closed' }, failedAt: at(1), sentAt: null })
    expect(events).toEqual(['message.failed'])
  })

  test('overtaken by its notices leaves the status where they put it and tells message.sent', () => {
    const { message, events } = after([notice('delivered'), accepted])
    expect(message).toMatchObject({ status: 'delivered', sentAt: at(1), deliveredAt: at(3) })
    expect(events).toEqual(['message.delivered', 'message.sent'])
  })

  test('changes nothing of an inbound message, nor does anything else', () => {
    const inbound: Message = { ...queued, direction: 'inbound', status: 'received' }
    for (const move of [accepted, refused, expired, lost, notAccepted, givenUp, notice('read'), notice('failed')])
      expect(moveMessage(inbound, move)).toBeNull()
  })
})

describe('expiry', () => {
  test('fails what still waits, without a code and with words that say that it was not sent', () => {
    const { message, events } = after([expired])
    expect(message).toMatchObject({ status: 'failed', error: { code: null, message: expiredText } })
    expect(events).toEqual(['message.failed'])
  })

  test('touches nothing that was sent, failed, or may have been sent', () => {
    for (const before of [accepted, refused, lost, notice('delivered')]) expect(moveMessage(after([before]).message, expired)).toBeNull()
  })
})

describe('notices', () => {
  test('of each kind climb in order, each with its own moment and event', () => {
    const { message, events } = after([accepted, notice('sent'), notice('delivered'), notice('read')])
    expect(message).toMatchObject({ status: 'read', sentAt: at(1), deliveredAt: at(3), readAt: at(5) })
    expect(events).toEqual(['message.sent', 'message.delivered', 'message.read'])
  })

  test('an earlier one that comes late fills its own moment and tells its event, and the status stays', () => {
    const { message, events } = after([accepted, notice('read'), notice('delivered')])
    expect(message).toMatchObject({ status: 'read', deliveredAt: at(3), readAt: at(5) })
    expect(events).toEqual(['message.sent', 'message.read', 'message.delivered'])
  })

  test('read does not fill delivered_at', () => {
    expect(after([accepted, notice('read')]).message.deliveredAt).toBeNull()
  })

  test("upstream's own sent changes nothing but fills an empty pricing, and tells nothing", () => {
    const sent = after([accepted]).message
    const moved = moveMessage(sent, notice('sent', { pricing }))
    expect(moved).toEqual({ message: { ...sent, pricing }, events: [] })
    expect(moveMessage({ ...sent, pricing }, notice('sent', { pricing: { category: 'other', billable: true } }))).toBeNull()
    expect(moveMessage(sent, notice('sent'))).toBeNull()
  })

  test('failed after delivered or read is ignored', () => {
    for (const status of ['delivered', 'read'] as const)
      expect(moveMessage(after([accepted, notice(status)]).message, notice('failed'))).toBeNull()
  })

  test('a later delivered or read lifts a failure and clears its error', () => {
    for (const status of ['delivered', 'read'] as const)
      expect(after([accepted, notice('failed'), notice(status)]).message).toMatchObject({ status, error: null, failedAt: null })
  })

  test('sent lifts no failure', () => {
    expect(after([accepted, notice('failed'), notice('sent')]).message).toMatchObject({ status: 'failed', failedAt: at(4) })
  })

  test('a second failure tells nothing', () => {
    expect(after([accepted, notice('failed'), notice('failed', { error: { code: 1, message: 'other' } })]).events).toEqual([
      'message.sent',
      'message.failed',
    ])
  })

  test('a failure without a reason says so', () => {
    expect(after([accepted, notice('failed', { error: null })]).message.error).toEqual({ code: null, message: expect.any(String) })
  })

  test('a little older than the send are not dated before it, much older ones keep their moment', () => {
    const sent = after([{ ...accepted, at: new Date(at(1).getTime() + 700) }]).message
    expect(moveMessage(sent, notice('delivered', { at: at(1) }))?.message.deliveredAt).toEqual(sent.sentAt)
    expect(moveMessage(sent, notice('delivered', { at: at(-120) }))?.message.deliveredAt).toEqual(at(-120))
  })

  test('that overtake the answer by a little date the send, those by much do not', () => {
    const answer = { ...accepted, at: at(30) }
    expect(after([notice('delivered', { at: at(29) }), answer]).message.sentAt).toEqual(at(29))
    expect(after([notice('delivered', { at: at(-120) }), answer]).message.sentAt).toEqual(at(30))
  })
})

describe('an unknown outcome', () => {
  test('leaves the message queued and tells nothing', () => {
    const { message, events } = after([lost, lost])
    expect(message).toMatchObject({ status: 'queued', outcomeUnknown: true, sentAt: null })
    expect(events).toEqual([])
  })

  test('settled by any notice other than failed sets sent_at to the intent and tells message.sent first', () => {
    expect(after([lost, notice('sent')])).toMatchObject({ message: { status: 'sent', sentAt: at(1) }, events: ['message.sent'] })
    expect(after([lost, notice('delivered')]).events).toEqual(['message.sent', 'message.delivered'])
    expect(after([lost, notice('read')])).toMatchObject({
      message: { status: 'read', sentAt: at(1), deliveredAt: null, outcomeUnknown: false },
      events: ['message.sent', 'message.read'],
    })
  })

  test('settled by a failure has no sent_at and tells message.failed only, whichever came first', () => {
    for (const order of [
      [lost, notice('failed')],
      [notice('failed'), lost],
    ]) {
      const { message, events } = after(order)
      expect(message).toMatchObject({ status: 'failed', sentAt: null, outcomeUnknown: false, error: { code: 131026 } })
      expect(events).toEqual(['message.failed'])
    }
  })

  test('whose notice overtook the time-out was not sent after what it told, although that is in whole seconds', () => {
    const lostLater: Move = { kind: 'outcome_unknown', intentAt: at(4.498) }
    const told = notice('delivered', { at: at(4) })
    expect(after([told, lostLater]).message).toMatchObject({ status: 'delivered', sentAt: at(4), deliveredAt: at(4) })
  })

  test('whose notice overtook the time-out was sent at the intent', () => {
    expect(after([notice('sent'), lost])).toMatchObject({ message: { status: 'sent', sentAt: at(1) }, events: ['message.sent'] })
    expect(after([notice('delivered'), lost])).toMatchObject({
      message: { status: 'delivered', sentAt: at(1) },
      events: ['message.delivered', 'message.sent'],
    })
  })

  test('of which no notice told is failed with words that say so, and a late notice still corrects it', () => {
    const { message, events } = after([lost, givenUp])
    expect(message).toMatchObject({ status: 'failed', error: { code: null, message: unknownText } })
    expect(events).toEqual(['message.failed'])
    expect(after([notice('sent')], message)).toMatchObject({
      message: { status: 'sent', sentAt: at(1), error: null, failedAt: null, outcomeUnknown: false },
      events: ['message.sent'],
    })
    expect(after([notice('delivered')], message).events).toEqual(['message.sent', 'message.delivered'])
    expect(after([notice('failed'), notice('failed')], message)).toMatchObject({
      message: { status: 'failed', error: { code: 131026 } },
      events: ['message.failed'],
    })
  })

  test('is given up only while it is unknown', () => {
    for (const moves of [[], [accepted], [refused], [lost, notice('sent')], [lost, notAccepted]])
      expect(moveMessage(after(moves).message, givenUp)).toBeNull()
  })

  test('that turns out as not accepted is known again: the message waits and can expire', () => {
    const { message, events } = after([lost, notAccepted])
    expect(message).toEqual(queued)
    expect(events).toEqual([])
    expect(after([lost, notAccepted, expired]).message).toMatchObject({ status: 'failed', error: { message: expiredText } })
    for (const moves of [[], [accepted], [refused], [lost, givenUp]]) expect(moveMessage(after(moves).message, notAccepted)).toBeNull()
  })
})

describe('whatever the order and however often each comes', () => {
  /** What truly happened to a message, as the set of moves that tell it. */
  const notices = fc
    .subarray<UpstreamStatus>(['sent', 'delivered', 'read', 'failed'])
    .map((list) => list.map((status) => notice(status, { pricing })))
  const answered = notices.map((told) => [accepted, ...told])
  const lostAnswer = notices.map((told) => [lost, ...told])
  // A takeover took the outcome for unknown while the answer was on its way to the database.
  const answeredAfterTakeover = notices.map((told) => [lost, accepted, ...told])
  const truths = fc.oneof(answered, lostAnswer, answeredAfterTakeover, fc.constant([refused]), fc.constant([lost, refused]))
  const histories = truths.chain((truth) =>
    fc
      .array(fc.constantFrom(...truth), { maxLength: 6 })
      .chain((repeated) =>
        fc.tuple(fc.constant(truth), fc.shuffledSubarray([...truth, ...repeated], { minLength: truth.length + repeated.length })),
      ),
  )

  test('the end has the same status, the same error and, but for failures, the same moments set', () => {
    fc.assert(
      fc.property(histories, ([truth, history]) => {
        const [expected, end] = [after(truth).message, after(history).message]
        expect(end.status).toBe(expected.status)
        expect(end.error).toEqual(expected.error)
        expect(end.outcomeUnknown).toBe(expected.outcomeUnknown)
        // Whether a message that failed has a moment of sending depends on what was known when its answer was lost.
        if (end.status !== 'failed') expect(isSet(end)).toEqual(isSet(expected))
      }),
      { numRuns: 500 },
    )
  })

  test('each kind of event is told at most once, and all that the end shows was told', () => {
    fc.assert(
      fc.property(histories, ([, history]) => {
        const { message, events } = after(history)
        expect(new Set(events).size).toBe(events.length)
        if (message.sentAt !== null) expect(events).toContain('message.sent')
        if (message.deliveredAt !== null) expect(events).toContain('message.delivered')
        if (message.readAt !== null) expect(events).toContain('message.read')
        if (message.failedAt !== null) expect(events).toContain('message.failed')
      }),
      { numRuns: 500 },
    )
  })

  test('with a give-up in between, only a failure whose reason is learnt later is told twice', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<UpstreamStatus>('sent', 'delivered', 'read', 'failed'), { maxLength: 8 }),
        fc.nat(8),
        (statuses, place) => {
          const moves = statuses.map((status) => notice(status))
          const { events } = after([lost, ...moves.slice(0, place), givenUp, ...moves.slice(place)])
          for (const kind of ['message.sent', 'message.delivered', 'message.read'] as const)
            expect(events.filter((each) => each === kind).length).toBeLessThanOrEqual(1)
          expect(events.filter((each) => each === 'message.failed').length).toBeLessThanOrEqual(2)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('the status never falls in rank, but where a failure is lifted from an unknown outcome; each moment is set once', () => {
    fc.assert(
      fc.property(histories, ([, history]) => {
        let message = queued
        for (const move of history) {
          const next = moveMessage(message, move)?.message ?? message
          const lifted = message.status === 'failed' && message.outcomeUnknown
          if (!lifted) expect(RANK[next.status]).toBeGreaterThanOrEqual(RANK[message.status])
          for (const moment of ['sentAt', 'deliveredAt', 'readAt'] as const)
            if (message[moment] !== null) expect(next[moment]).toEqual(message[moment])
          message = next
        }
      }),
      { numRuns: 500 },
    )
  })
})
