import { type Static, Type } from 'typebox'
import { type Day, daysOf, type Month } from '../../base/brasilia.ts'
import { limits } from '../../limits.ts'
import { type CounterKind, kindOf, type SendCounterKind, type Sender, type UsageSum } from './usage.ts'

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

type Shown = { month: Month; today: Day; franchise: number }

/** The sums of a month as the contract shows them. `today` bounds the days of a month that is not over. */
export function usageJson(sums: readonly UsageSum[], { month, today, franchise }: Shown): UsageJson {
  const counted = totalOf(sums)('counted')
  const { by_day, top_errors, ...figures } = sendFigures(sums, 'system', { month, today })
  return {
    object: 'usage',
    month,
    franchise,
    counted,
    // rule: usage 7
    remaining: Math.max(0, franchise - counted),
    over_franchise: Math.max(0, counted - franchise),
    received: totalOf(sums)('received'),
    ...figures,
    by_day,
    top_errors,
  }
}

const {
  object: _object,
  month: _month,
  franchise: _franchise,
  remaining: _left,
  over_franchise: _over,
  received: _received,
  ...ofSends
} = usageSchema.properties

/** What the team sent in a month, shown in the console alone: the contract's usage is of the API. */
export const teamUsageSchema = Type.Object(
  { object: Type.Literal('team_usage'), month: usageSchema.properties.month, ...ofSends },
  { $id: 'TeamUsage', description: 'The same figures as of `Usage`, of what the team sent from the console and the phone.' },
)

/** rule: usage 8. The sums of a month of the team's sends. */
export function teamUsageJson(sums: readonly UsageSum[], shown: Omit<Shown, 'franchise'>): Static<typeof teamUsageSchema> {
  return {
    object: 'team_usage',
    month: shown.month,
    counted: totalOf(sums)(kindOf('team', 'counted')),
    ...sendFigures(sums, 'team', shown),
  }
}

function sendFigures(sums: readonly UsageSum[], sender: Sender, { month, today }: Omit<Shown, 'franchise'>) {
  const of = (kind: SendCounterKind) => sums.filter((each) => each.kind === kindOf(sender, kind))
  return {
    sent: sentJson(totalOf(sums), sender),
    meta_billable_by_category: categories(of('billable')),
    meta_free_by_category: categories(of('free')),
    by_day: byDay({ counted: of('counted'), failed: of('error') }, daysOf(month), today),
    top_errors: topErrors(of('error')),
  }
}

/** What was sent, by its status now and by whom, and what was received. */
export function figuresOf(sums: readonly UsageSum[]): { sent: UsageJson['sent']; sent_by_team: UsageJson['sent']; received: number } {
  const total = totalOf(sums)
  return { sent: sentJson(total, 'system'), sent_by_team: sentJson(total, 'team'), received: total('received') }
}

const totalOf = (sums: readonly UsageSum[]) => (kind: CounterKind) =>
  sums.reduce((sum, each) => (each.kind === kind ? sum + each.amount : sum), 0)

/** rule: usage 2. What has not left is the rest. */
function sentJson(total: (kind: CounterKind) => number, sender: Sender): UsageJson['sent'] {
  const of = (kind: SendCounterKind) => total(kindOf(sender, kind))
  const by = { sent: of('sent'), delivered: of('delivered'), read: of('read'), failed: of('failed') }
  const accepted = of('accepted')
  return { total: accepted, queued: accepted - by.sent - by.delivered - by.read - by.failed, ...by }
}

function categories(sums: readonly UsageSum[]): Record<string, number> {
  return Object.fromEntries(sumsBy(sums, ({ detail }) => detail))
}

function sumsBy(sums: readonly UsageSum[], keyOf: (sum: UsageSum) => string): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const sum of sums) amounts.set(keyOf(sum), (amounts.get(keyOf(sum)) ?? 0) + sum.amount)
  return amounts
}

/** Days to come are left out, unless upstream's clock was ahead. */
function byDay(of: { counted: readonly UsageSum[]; failed: readonly UsageSum[] }, days: readonly Day[], today: Day): UsageJson['by_day'] {
  const [counts, failures] = [sumsBy(of.counted, ({ day }) => day), sumsBy(of.failed, ({ day }) => day)]
  return days
    .map((date) => ({ date, counted: counts.get(date) ?? 0, failed: failures.get(date) ?? 0 }))
    .filter(({ date, counted, failed }) => date <= today || counted > 0 || failed > 0)
}

/** rule: usage 4. The sums come in the order of their days, so that the words of the last one stay. */
function topErrors(sums: readonly UsageSum[]): UsageJson['top_errors'] {
  const errors = new Map<string, UsageJson['top_errors'][number]>()
  for (const { detail, amount, words } of sums) {
    const code = /^-?[0-9]+$/.test(detail) ? Number(detail) : null
    const before = errors.get(detail) ?? { code, message: detail, count: 0 }
    errors.set(detail, { code, message: words ?? before.message, count: before.count + amount })
  }
  return [...errors.values()].sort((a, b) => b.count - a.count || (a.code ?? 0) - (b.code ?? 0)).slice(0, limits.topErrorsMax)
}
