import { newUuid } from '../../server/src/base/id.ts'
import { insertNotices, type RawNotice } from '../../server/src/features/notices/store.ts'
import { until } from '../../server/test/support/processes/until.ts'
import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import { noticeText } from '../programs/requests.ts'
import { type BenchNumber, type Business, makeBusinesses, nextPerson } from '../stage/businesses.ts'
import { newRun } from '../stage/load.ts'
import { startReceiver } from '../stage/receiver.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { registerWebhooks } from '../stage/webhooks.ts'
import { ratios } from '../statistics.ts'

const workedMsMax = 600_000
const webhooksEach = 5
const inOneNotice = 100
/** Of one commit: as many as a body of one parameter may hold. */
const noticesAtOnce = 200

/**
 * P13: a backlog of messages, written straight into the inbox, of accounts with five webhooks each: in notices of one message, and in notices
 * of a hundred, from people who are known and from new ones. What is delivered meanwhile takes its part of the cores.
 */
export const largeNotices: Benchmark = {
  name: 'P13',
  title: 'a backlog of notices of 100 messages, 5 webhooks an account',
  minutes: 8,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const messages = quick ? 800 : 20_000
    const stage = await openStage()
    const receiver = await startReceiver()
    const businesses = await makeBusinesses(stage, { accounts: 4, numbersEach: 1, peopleEach: quick ? 200 : 5_000 })
    for (let i = 0; i < webhooksEach; i += 1) await registerWebhooks(stage, businesses, (place) => `${receiver.url}/count/${place}/${i}`)
    const found: Record<Side, number[]> = { singles: [], known: [], fresh: [] }
    const side = (name: Side) => async () => void found[name].push(await perSecond(stage, businesses, name, messages))
    await inTurns(runs, [side('singles'), side('known'), side('fresh')])
    const stallMs = await longestStallMs(stage)
    await stage.close()
    await receiver.end()
    return [
      judged('of known people, to single notices', '', ratios(found.known, found.singles), { atLeast: 1 }),
      judged('of new people, to single notices', '', ratios(found.fresh, found.singles), { atLeast: 0.7 }),
      judged('longest stall of the event loop', 'ms', [stallMs], { atMost: 100 }),
      shown('messages of single notices', '/s', found.singles),
      shown('messages of known people', '/s', found.known),
      shown('messages of new people', '/s', found.fresh),
    ]
  },
}

type Side = 'singles' | 'known' | 'fresh'

/** How many of these messages were worked through in a second, from the commit of the backlog. */
async function perSecond(stage: Stage, businesses: readonly Business[], side: Side, messages: number): Promise<number> {
  const numbers = businesses.flatMap((each) => each.numbers)
  const each = side === 'singles' ? 1 : inOneNotice
  const run = newRun()
  const notices = Array.from({ length: messages / each }, (_, i) =>
    noticeOf(numbers[i % numbers.length] as BenchNumber, { run, from: i * each, count: each, isNew: side === 'fresh' }),
  )
  await stage.deps.database.transaction(async (tx) => {
    for (let i = 0; i < notices.length; i += noticesAtOnce) await insertNotices(tx, notices.slice(i, i + noticesAtOnce))
  })
  const beganMs = performance.now()
  const isWorked = async () => {
    const [row] = await stage.sql<{ waits: boolean }>('select exists (select from inbox where state = 0) as waits')
    return row?.waits === false
  }
  await until('every notice is worked through', isWorked, workedMsMax)
  const rate = (messages * 1_000) / (performance.now() - beganMs)
  // What is still to be delivered would take its part of the next side.
  await stage.sql("delete from delivery where status = 'pending'")
  return rate
}

function noticeOf(number: BenchNumber, of: { run: string; from: number; count: number; isNew: boolean }): RawNotice {
  const now = new Date()
  const written = Array.from({ length: of.count }, (_, i) => ({
    from: of.isNew ? nextPerson() : (number.people[(of.from + i) % number.people.length]?.digits ?? ''),
    wamid: `wamid.${of.run}.${of.from + i}`,
    text: 'Oi! Vocês entregam hoje? Preciso do pedido até as 18h, se for possível.',
  }))
  const body = Buffer.from(noticeText({ ...number, people: [] }, written))
  return { id: newUuid(now), livemode: true, accountId: null, body, dueAt: now, receivedAt: now }
}

async function longestStallMs(stage: Stage): Promise<number> {
  const page = await (await fetch(`${stage.gateway.url}/metrics`)).text()
  return Math.round(Number(/^event_loop_longest_stall_seconds(?:\{[^}]*\})? (\S+)$/m.exec(page)?.[1] ?? Number.NaN) * 1_000)
}
