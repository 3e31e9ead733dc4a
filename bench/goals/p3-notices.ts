import { until } from '../../server/test/support/processes/until.ts'
import { type Benchmark, type Effort, type Figure, inTurns, judged, shown } from '../benchmark.ts'
import type { HttpLoadAnswer } from '../programs/http-load.ts'
import { makeBusinesses } from '../stage/businesses.ts'
import { load, newRun, noticeNumbersOf, sendersOf } from '../stage/load.ts'
import { runProgram, startServing } from '../stage/program.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { ratios } from '../statistics.ts'

const workedMsMax = 300_000
const largeBytes = 3_000_000

/**
 * P3: texts of people, a kilobyte each and each a notice of its own, signed; taken in and worked through by one process at once. What
 * is left when the last was answered is the backlog whose working through is measured.
 */
export const notices: Benchmark = {
  name: 'P3',
  title: 'notices taken in and worked through to events',
  minutes: 4,
  async run({ runs, quick }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const businesses = await makeBusinesses(stage, { accounts: 4, numbersEach: 2, peopleEach: quick ? 20 : 500 })
    const bare = await startServing('fastify-post.ts')
    const taken: HttpLoadAnswer[] = []
    const worked: Worked[] = []
    const large: { ms: number; workedMs: number }[] = []
    const fastify: HttpLoadAnswer[] = []
    const crowd = { callers: 256, count: quick ? 1_000 : 40_000, warmUp: quick ? 256 : 2_000, perSecond: null }
    const { appSecret } = stage.simulator
    const numbers = noticeNumbersOf(businesses)
    await inTurns(runs, [
      async () => {
        const work = { kind: 'notice', run: newRun(), appSecret, bytes: 1_000, numbers } as const
        const answer = await load(200, { origin: stage.gateway.url, work, ...crowd })
        taken.push(answer)
        worked.push(await workThrough(stage, answer))
      },
      async () => void large.push(await postLarge(stage, { appSecret, number: numbers[0] })),
      async () => {
        const work = { kind: 'send', run: newRun(), senders: sendersOf(businesses) } as const
        fastify.push(await load(202, { origin: bare.url, work, ...crowd }))
      },
    ])
    await bare.end()
    await stage.close()
    const perSecond = taken.map((each) => each.perSecond)
    return [
      judged('taken in', '/s', perSecond, { atLeast: 8_000 }),
      judged(
        'p99',
        'ms',
        taken.map((each) => each.p99Ms),
        { atMost: 30 },
      ),
      judged(
        'one of 3 MB',
        'ms',
        large.map((each) => each.ms),
        { atMost: 1_000 },
      ),
      judged(
        'worked through to events',
        '/s',
        worked.map((each) => each.backlogPerSecond),
        { atLeast: 4_000 },
      ),
      judged(
        'ratio to B3',
        '',
        ratios(
          perSecond,
          fastify.map((each) => each.perSecond),
        ),
        { atLeast: 0.2 },
      ),
      shown(
        'from the first post to the last event',
        '/s',
        worked.map((each) => each.wholePerSecond),
      ),
      shown(
        'waiting when the last was answered',
        'notices',
        worked.map((each) => each.backlog),
      ),
      shown(
        'the one of 3 MB, until its last event',
        'ms',
        large.map((each) => each.workedMs),
      ),
      shown(
        'B3, bare Fastify',
        '/s',
        fastify.map((each) => each.perSecond),
      ),
    ]
  },
}

type Worked = { backlog: number; backlogPerSecond: number; wholePerSecond: number }

async function workThrough(stage: Stage, { firstMs }: HttpLoadAnswer): Promise<Worked> {
  const startedMs = Date.now()
  const [row] = await stage.sql<{ waiting: number }>('select count(*)::integer as waiting from inbox where state = 0')
  const backlog = row?.waiting ?? 0
  await untilWorked(stage)
  const nowMs = Date.now()
  const [events] = await stage.sql<{ count: number }>('select count(*)::integer as count from event where created_at >= $1', [
    new Date(firstMs),
  ])
  return {
    backlog,
    backlogPerSecond: (backlog * 1_000) / (nowMs - startedMs),
    wholePerSecond: ((events?.count ?? 0) * 1_000) / (nowMs - firstMs),
  }
}

function untilWorked(stage: Stage): Promise<boolean> {
  const isWorked = async () => {
    const [row] = await stage.sql<{ waiting: boolean }>('select exists (select from inbox where state = 0) as waiting')
    return row?.waiting === false
  }
  return until('every notice is worked through', isWorked, workedMsMax)
}

async function postLarge(stage: Stage, orders: { appSecret: string; number: unknown }): Promise<{ ms: number; workedMs: number }> {
  const startedMs = Date.now()
  const asked = { origin: stage.gateway.url, run: newRun(), bytes: largeBytes, ...orders }
  const answer = await runProgram<{ status: number; ms: number; bytes: number; messages: number }>('large-notice.ts', asked)
  if (answer.status !== 200) throw new Error(`The large notice was answered ${answer.status}.`)
  if (answer.bytes < largeBytes * 0.97) throw new Error(`The large notice has only ${answer.bytes} bytes.`)
  await untilWorked(stage)
  return { ms: answer.ms, workedMs: Date.now() - startedMs }
}
