import { type Answer, type Request, type Run, type Trouble, uuidOf, type Violation } from '../histories.ts'
import { acceptancesOf } from './accepted-once.ts'

/** On a machine of two cores that runs all of it. */
const answerMsMax = 3_000
/** And at most so many times as long as alone. */
const timesMax = 3
/** A send that was asked for so shortly before the end is answered, or leaves, after it. */
const lastMs = 1_500
/** Some wait behind a person whose outcome is unknown, or behind a burst: not all can have left within some seconds. */
const shareMin = 0.5
const sendsMin = 15

/**
 * I21. While somebody does their worst within what they may, everybody else goes on: their sends are answered, with no 5xx, within a bound (p99); most of
 * them leave; and most of their events come.
 */
export function othersGoOn(run: Run): Violation[] {
  return run.troubles.flatMap((trouble) => problemsBeside(run, trouble).map((what) => ({ invariant: 'I21', what, evidence: trouble })))
}

function problemsBeside(run: Run, trouble: Trouble): string[] {
  if (trouble.calmFromMs === null) return []
  const answers = new Map(run.answers.map((each) => [`${each.key} ${each.attempt}`, each]))
  const of = (span: Span) =>
    run.requests
      .filter((each) => uuidOf(each.accountId) !== run.stage.noisyAccountId && isWithin(span, each.atMs))
      .map((request) => ({ request, answer: answers.get(`${request.key} ${request.attempt}`) ?? null }))
  const asked = of(trouble)
  if (asked.length < sendsMin) return []
  const alone = of({ fromMs: trouble.calmFromMs, toMs: trouble.fromMs + lastMs })
  return [...answerProblems(trouble, asked, p99Of(alone)), ...leavingProblems(run, trouble, asked), ...eventProblems(run, trouble)]
}

type Span = Pick<Trouble, 'fromMs' | 'toMs'>

const isWithin = ({ fromMs, toMs }: Span, atMs: number, marginMs = lastMs) => atMs >= fromMs && atMs <= toMs - marginMs

type Asked = { request: Request; answer: Answer | null }

function p99Of(asked: readonly Asked[]): number {
  const took = asked.map(({ request, answer }) => (answer?.atMs ?? Number.POSITIVE_INFINITY) - request.atMs).sort((a, b) => a - b)
  return took[Math.ceil(0.99 * took.length) - 1] ?? 0
}

function answerProblems({ name }: Trouble, asked: readonly Asked[], aloneMs: number): string[] {
  const failed = asked.filter(({ answer }) => answer === null || answer.status === null || answer.status >= 500)
  // A machine that does other work is slow by itself.
  const mostMs = Math.max(answerMsMax, timesMax * aloneMs)
  return [
    ...(failed.length > 0 ? [`Beside ${name} sends of others were not answered, or with 5xx.`] : []),
    ...(p99Of(asked) > mostMs ? [`Beside ${name} sends of others were not answered within ${mostMs} ms (p99).`] : []),
  ]
}

function leavingProblems(run: Run, trouble: Trouble, asked: readonly Asked[]): string[] {
  const held = peopleHeld(run)
  const free = asked.filter(({ request }) => request.livemode && !held.has(`${uuidOf(request.channelId)} ${request.to}`))
  const accepted = free.flatMap(({ answer }) => (answer?.status === 202 ? [uuidOf(answer.id ?? '')] : []))
  const arrived = acceptancesOf(run.sends.filter((each) => new Date(each.at).getTime() <= trouble.toMs))
  const left = accepted.filter((id) => arrived.has(id))
  return accepted.length >= sendsMin && left.length < shareMin * accepted.length
    ? [`Beside ${trouble.name} the sends of others did not leave.`]
    : []
}

/** To whom something of unknown outcome went: what follows to them may wait for a minute, by design. */
function peopleHeld({ database, requests }: Run): Set<string> {
  const unknown = new Set(database.upstreamCalls.filter((each) => each.outcome === 'unknown').map((each) => each.messageId))
  const keys = new Set(database.messages.filter((each) => each.outcomeUnknown || unknown.has(each.id)).map((each) => each.reference))
  return new Set(requests.filter((each) => keys.has(each.key)).map((each) => `${uuidOf(each.channelId)} ${each.to}`))
}

function eventProblems(run: Run, trouble: Trouble): string[] {
  const arrived = [...acceptancesOf(run.sends.filter((each) => isWithin(trouble, new Date(each.at).getTime(), 2 * lastMs))).keys()]
  const hears = run.stage.accounts.filter((each) => each.webhooks.some(({ path }) => path.startsWith('/ok/')))
  const theirs = new Set(run.database.messages.filter((each) => hears.some(({ id }) => id === each.accountId)).map((each) => each.id))
  const wanted = arrived.filter((id) => theirs.has(id))
  const inTime = run.receipts.filter((each) => each.type === 'message.sent' && each.atMs <= trouble.toMs)
  const told = new Set(inTime.map((each) => uuidOf(messageOf(each.body))))
  const heard = wanted.filter((id) => told.has(id))
  return wanted.length >= sendsMin / 2 && heard.length < shareMin * wanted.length
    ? [`Beside ${trouble.name} the events of others did not come.`]
    : []
}

const messageOf = (body: string): string => (JSON.parse(body) as { data: { id: string } }).data.id
