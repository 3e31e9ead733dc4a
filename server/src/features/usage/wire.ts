import { type Static, Type } from 'typebox'
import { type Day, daysOf, type Month } from '../../base/brasilia.ts'
import { limits } from '../../limits.ts'
import type { CounterKind, UsageSum } from './usage.ts'

const count = (description: string) => Type.Integer({ description })
const byCategory = (description: string) =>
  Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' }, description })

/** A month's Usage as the contract shows it. */
export const usageSchema = Type.Object(
  {
    object: Type.Literal('usage', { description: 'What this is.' }),
    month: Type.String({ description: 'The calendar month in Brasília time.', examples: ['2026-11'] }),
    franchise: count('Sends included in the plan.'),
    counted: count('Sends through the API that the platform accepted in the month, less those that failed later.'),
    remaining: count('What is left of the franchise.'),
    over_franchise: count('What goes beyond it.'),
    sent: Type.Object(
      {
        total: count('All of them: the sum of the others.'),
        queued: count('Those that have not left yet.'),
        sent: count('Those that the platform has accepted.'),
        delivered: count('Those that have reached the phone.'),
        read: count('Those that were read.'),
        failed: count('Those that failed.'),
      },
      { description: 'Sends through the API that were asked for in the month, by their status now.' },
    ),
    received: count('Messages that people wrote.'),
    meta_billable_by_category: byCategory('Of those in `counted`, what the platform bills.'),
    meta_free_by_category: byCategory('Of those in `counted`, what the platform does not bill.'),
    by_day: Type.Array(
      Type.Object({
        date: Type.String({ description: 'The day in Brasília time.', examples: ['2026-11-27'] }),
        counted: count('Those of `counted` that were sent on this day.'),
        failed: count('Sends that failed on this day.'),
      }),
      { description: 'Every day of the month so far: `counted` by the day of sending, `failed` by the day of the failure.' },
    ),
    top_errors: Type.Array(
      Type.Object({
        code: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: "The platform's code; null: there is none." }),
        message: Type.String({ description: 'As it was told of one of the last of them.' }),
        count: count('How many sends failed with it.'),
      }),
      { description: `Why sends failed in the month, the ${limits.topErrorsMax} most frequent reasons, the most frequent first.` },
    ),
  },
  {
    $id: 'Usage',
    description: 'What was sent and received in a month, and what it cost.',
    examples: [
      {
        object: 'usage',
        month: '2026-11',
        franchise: 1000,
        counted: 873,
        remaining: 127,
        over_franchise: 0,
        sent: { total: 902, queued: 1, sent: 14, delivered: 210, read: 649, failed: 28 },
        received: 415,
        meta_billable_by_category: { marketing: 120, utility: 502 },
        meta_free_by_category: { service: 251 },
        by_day: [
          { date: '2026-11-26', counted: 31, failed: 2 },
          { date: '2026-11-27', counted: 44, failed: 0 },
        ],
        top_errors: [{ code: 131026, message: 'Message undeliverable', count: 21 }],
      },
    ],
  },
)

export type UsageJson = Static<typeof usageSchema>

/** The sums of a month as the contract shows them. `today` bounds the days of a month that is not over. */
export function usageJson(
  sums: readonly UsageSum[],
  { month, today, franchise }: { month: Month; today: Day; franchise: number },
): UsageJson {
  const counted = totalOf(sums)('counted')
  return {
    object: 'usage',
    month,
    franchise,
    counted,
    // rule: usage 7
    remaining: Math.max(0, franchise - counted),
    over_franchise: Math.max(0, counted - franchise),
    ...figuresOf(sums),
    meta_billable_by_category: categories(sums, 'billable'),
    meta_free_by_category: categories(sums, 'free'),
    by_day: byDay(sums, daysOf(month), today),
    top_errors: topErrors(sums),
  }
}

/** What was sent, by its status now, and what was received. */
export function figuresOf(sums: readonly UsageSum[]): Pick<UsageJson, 'sent' | 'received'> {
  const total = totalOf(sums)
  return { sent: sentJson(total), received: total('received') }
}

const totalOf = (sums: readonly UsageSum[]) => (kind: CounterKind) =>
  sums.reduce((sum, each) => (each.kind === kind ? sum + each.amount : sum), 0)

/** rule: usage 2. What has not left is the rest. */
function sentJson(total: (kind: CounterKind) => number): UsageJson['sent'] {
  const by = { sent: total('sent'), delivered: total('delivered'), read: total('read'), failed: total('failed') }
  const accepted = total('accepted')
  return { total: accepted, queued: accepted - by.sent - by.delivered - by.read - by.failed, ...by }
}

function categories(sums: readonly UsageSum[], wanted: CounterKind): Record<string, number> {
  const amounts = new Map<string, number>()
  for (const { kind, detail, amount } of sums) if (kind === wanted) amounts.set(detail, (amounts.get(detail) ?? 0) + amount)
  return Object.fromEntries(amounts)
}

/** Days to come are left out, unless upstream's clock was ahead. */
function byDay(sums: readonly UsageSum[], days: readonly Day[], today: Day): UsageJson['by_day'] {
  const amounts = new Map<string, number>()
  for (const { kind, day, amount } of sums) amounts.set(`${kind} ${day}`, (amounts.get(`${kind} ${day}`) ?? 0) + amount)
  return days
    .map((date) => ({ date, counted: amounts.get(`counted ${date}`) ?? 0, failed: amounts.get(`error ${date}`) ?? 0 }))
    .filter(({ date, counted, failed }) => date <= today || counted > 0 || failed > 0)
}

/** rule: usage 4. The sums come in the order of their days, so that the words of the last one stay. */
function topErrors(sums: readonly UsageSum[]): UsageJson['top_errors'] {
  const errors = new Map<string, UsageJson['top_errors'][number]>()
  for (const { kind, detail, amount, words } of sums) {
    if (kind !== 'error') continue
    const code = /^-?[0-9]+$/.test(detail) ? Number(detail) : null
    const before = errors.get(detail) ?? { code, message: detail, count: 0 }
    errors.set(detail, { code, message: words ?? before.message, count: before.count + amount })
  }
  return [...errors.values()].sort((a, b) => b.count - a.count || (a.code ?? 0) - (b.code ?? 0)).slice(0, limits.topErrorsMax)
}
