import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queuedText } from '../../../test/support/messages.ts'
import { newUuid } from '../../base/id.ts'
import type { Message, Wamid } from '../messages/message.ts'
import { type Move, moveMessage, type UpstreamStatus } from '../messages/move.ts'
import { partOf, type UsageChange, usageChanges } from './usage.ts'

// The last second of November in Brasília: moments from here on fall into two months.
const startMs = Date.parse('2026-12-01T02:59:59.000Z')
const at = (seconds: number) => new Date(startMs + seconds * 1_000)
const wamid = 'wamid.A' as Wamid

const queued = queuedText(at(0))
const sent: Message = { ...queued, status: 'sent', wamid, sentAt: at(1) }
const failed: Message = { ...sent, status: 'failed', failedAt: at(86_402), error: { code: 131026, message: 'Message undeliverable' } }
const received: Message = { ...queued, direction: 'inbound', status: 'received', source: 'chat' }

/** A change as `day kind:detail by`, in order. */
const lines = (changes: readonly UsageChange[]) =>
  changes.map(({ day, kind, detail, by }) => `${day} ${kind}${detail === '' ? '' : `:${detail}`} ${by > 0 ? '+' : ''}${by}`).sort()
const moved = (before: Message | null, after: Message) => lines(usageChanges([{ before, after }]))

describe('a message counts', () => {
  // rule: usage 2
  test('as accepted on the day of its creation, when it is taken', () => {
    expect(moved(null, queued)).toEqual(['2026-11-30 accepted +1'])
  })

  // rule: usage 1, usage 3
  test('as counted on the day of its sending, and by its status on the day of its creation', () => {
    expect(moved(queued, sent)).toEqual(['2026-11-30 sent +1', '2026-12-01 counted +1'])
  })

  test('under its new status and no longer under the one before', () => {
    expect(moved(sent, { ...sent, status: 'delivered' })).toEqual(['2026-11-30 delivered +1', '2026-11-30 sent -1'])
  })

  // rule: usage 3
  test('as billed or free by category on the day of its sending, once upstream has told the price', () => {
    const priced = (billable: boolean | null, category: string | null): Message => ({ ...sent, pricing: { billable, category } })
    expect(moved(sent, priced(true, 'marketing'))).toEqual(['2026-12-01 billable:marketing +1'])
    expect(moved(sent, priced(false, 'service'))).toEqual(['2026-12-01 free:service +1'])
    expect(moved(sent, priced(true, null))).toEqual(['2026-12-01 billable:unknown +1'])
    expect(moved(sent, priced(null, 'utility'))).toEqual([])
  })

  test('as billed only once it has a moment of sending: a notice may overtake the answer', () => {
    const overtaken: Message = { ...queued, status: 'delivered', pricing: { billable: true, category: 'utility' } }
    expect(moved(queued, overtaken)).toEqual(['2026-11-30 delivered +1'])
    expect(moved(overtaken, { ...overtaken, sentAt: at(1) })).toEqual(['2026-12-01 billable:utility +1', '2026-12-01 counted +1'])
  })

  // rule: usage 3, usage 4
  test('no longer as counted or billed when it fails, but as an error on the day of the failure', () => {
    const billed: Message = { ...sent, pricing: { billable: true, category: 'marketing' } }
    expect(moved(billed, { ...failed, pricing: billed.pricing })).toEqual([
      '2026-11-30 failed +1',
      '2026-11-30 sent -1',
      '2026-12-01 billable:marketing -1',
      '2026-12-01 counted -1',
      '2026-12-02 error:131026 +1',
    ])
  })

  // rule: usage 4
  test('again when its failure is lifted', () => {
    const lifted: Message = { ...failed, status: 'read', failedAt: null, error: null }
    expect(moved(failed, lifted)).toEqual([
      '2026-11-30 failed -1',
      '2026-11-30 read +1',
      '2026-12-01 counted +1',
      '2026-12-02 error:131026 -1',
    ])
  })

  test('as received on the day on which it was taken in', () => {
    expect(moved(null, received)).toEqual(['2026-11-30 received +1'])
  })
})

// rule: usage 1
test.each<[string, Message]>([
  ['a send of a test key', { ...sent, livemode: false }],
  ['what a person wrote to a test number', { ...received, livemode: false }],
])('%s counts nothing', (_name, message) => {
  expect(moved(null, message)).toEqual([])
})

// rule: usage 8
test('what the team sends counts as what the system sends, apart', () => {
  const team = (message: Message): Message => ({ ...message, source: 'chat' })
  for (const [before, after] of [
    [null, queued],
    [null, sent],
    [sent, failed],
  ] as const) {
    const ofSystem = moved(before, after)
    expect(ofSystem.length).toBeGreaterThan(0)
    expect(moved(before === null ? null : team(before), team(after))).toEqual(ofSystem.map((line) => line.replace(' ', ' team_')))
  }
})

// rule: usage 4
test('a failure without a code counts by its words, cut where they would not fit a key', () => {
  const without = (message: string): Message => ({ ...failed, error: { code: null, message } })
  const [long] = usageChanges([{ before: null, after: without('é'.repeat(5_000)) }]).filter((each) => each.kind === 'error')
  expect(long).toMatchObject({ detail: 'é'.repeat(200), words: 'é'.repeat(1_000) })
  const [short] = usageChanges([{ before: null, after: without('It waited.') }]).filter((each) => each.kind === 'error')
  expect(short).toMatchObject({ detail: 'It waited.', words: 'It waited.' })
})

test('what changes several times in one list is one change of each counter, and none where it comes out even', () => {
  const changes = [
    { before: null, after: queued },
    { before: null, after: { ...queued, id: newUuid(at(0)) } },
    { before: queued, after: sent },
    { before: sent, after: queued },
  ]
  expect(lines(usageChanges(changes))).toEqual(['2026-11-30 accepted +2'])
})

test('accounts are counted apart', () => {
  const other = { ...queued, accountId: newUuid(at(0)) }
  const changes = usageChanges([queued, other].map((after) => ({ before: null, after })))
  expect(changes.map((each) => each.accountId)).toEqual([queued.accountId, other.accountId])
})

test('every row of a counter is used, and never the one that past days are folded into', () => {
  const used = new Set(Array.from({ length: 500 }, () => partOf(newUuid(at(0)))))
  expect([...used].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

const secondsOf = fc.integer({ min: 0, max: 5 * 86_400 })
const price = fc.option(
  fc.record({ category: fc.constantFrom('marketing', 'service', null), billable: fc.constantFrom(true, false, null) }),
)
const error = fc.option(fc.record({ code: fc.constantFrom(131026, 131047, null), message: fc.constantFrom('undeliverable', 'closed') }))
const move: fc.Arbitrary<Move> = fc.oneof(
  secondsOf.map((s): Move => ({ kind: 'accepted', wamid, at: at(s) })),
  secondsOf.map((s): Move => ({ kind: 'refused', code: 131051, message: 'refused', at: at(s) })),
  secondsOf.map((s): Move => ({ kind: 'expired', at: at(s) })),
  fc.constant<Move>({ kind: 'not_accepted' }),
  secondsOf.map((s): Move => ({ kind: 'outcome_unknown', intentAt: at(s) })),
  secondsOf.map((s): Move => ({ kind: 'outcome_stays_unknown', at: at(s) })),
  fc
    .record({ s: secondsOf, status: fc.constantFrom<UpstreamStatus>('sent', 'delivered', 'read', 'failed'), price, error })
    .map(({ s, status, price, error }): Move => ({ kind: 'status', status, wamid, at: at(s), pricing: price, error, intentAt: at(1) })),
)

/** What a message counts for, said once more in another way. */
function expected({ status, sentAt, failedAt, pricing, error }: Message): string[] {
  const day = (moment: Date) => new Date(moment.getTime() - 3 * 3_600_000).toISOString().slice(0, 10)
  const counts = status !== 'failed' && sentAt !== null ? `${day(sentAt)} ` : null
  const paid = pricing?.billable === true ? 'billable' : 'free'
  return [
    '2026-11-30 accepted +1',
    ...(status === 'queued' ? [] : [`2026-11-30 ${status} +1`]),
    ...(counts === null ? [] : [`${counts}counted +1`]),
    ...(counts === null || typeof pricing?.billable !== 'boolean' ? [] : [`${counts}${paid}:${pricing.category ?? 'unknown'} +1`]),
    ...(status === 'failed' && failedAt !== null ? [`${day(failedAt)} error:${error?.code ?? error?.message} +1`] : []),
  ].sort()
}

// rule: usage 5
test('over any history, in any order and in batches of any size, the sum of the changes is what the message counts for at the end', () => {
  fc.assert(
    fc.property(fc.array(fc.array(move, { maxLength: 4 }), { maxLength: 12 }), (batches) => {
      const sums = new Map<string, number>()
      const count = (before: Message | null, after: Message) => {
        for (const { day, kind, detail, by } of usageChanges([{ before, after }])) {
          const key = `${day} ${kind}${detail === '' ? '' : `:${detail}`}`
          sums.set(key, (sums.get(key) ?? 0) + by)
        }
      }
      count(null, queued)
      let now = queued
      for (const moves of batches) {
        const before = now
        now = moves.reduce((message, each) => moveMessage(message, each)?.message ?? message, before)
        count(before, now)
      }
      const counted = [...sums].filter(([, sum]) => sum !== 0).map(([key, sum]) => `${key} ${sum > 0 ? '+' : ''}${sum}`)
      expect(counted.sort()).toEqual(expected(now))
    }),
    { numRuns: 1_000 },
  )
})
