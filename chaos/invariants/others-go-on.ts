import { type Answer, type Request, type Run, type Trouble, uuidOf, type Violation } from '../histories.ts'
import { acceptancesOf } from './accepted-once.ts'

/** On a machine of two cores that runs all of it. */
const answerMsMax = 3_000
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
  const answers = new Map(run.answers.map((each) => [`${each.key} ${each.attempt}`, each]))
  const asked = run.requests
    .filter((each) => uuidOf(each.accountId) !== run.stage.noisyAccountId && isWithin(trouble, each.atMs))
    .map((request) => ({ request, answer: answers.get(`${request.key} ${request.attempt}`) ?? null }))
  if (asked.length < sendsMin) return []
  return [...answerProblems(trouble, asked), ...leavingProblems(run, trouble, asked), ...eventProblems(run, trouble)]
}

const isWithin = ({ fromMs, toMs }: Trouble, atMs: number, marginMs = lastMs) => atMs >= fromMs && atMs <= toMs - marginMs

type Asked = { request: Request; answer: Answer | null }

function answerProblems({ name }: Trouble, asked: readonly Asked[]): string[] {
  const failed = asked.filter(({ answer }) => answer === null || answer.status === null || answer.status >= 500)
  const took = asked.map(({ request, answer }) => (answer?.atMs ?? Number.POSITIVE_INFINITY) - request.atMs).sort((a, b) => a - b)
  const p99Ms = took[Math.ceil(0.99 * took.length) - 1] ?? 0
  return [
    ...(failed.length > 0 ? [`Beside ${name} sends of others were not answered, or with 5xx.`] : []),
    ...(p99Ms > answerMsMax ? [`Beside ${name} sends of others were not answered within ${answerMsMax} ms (p99).`] : []),
  ]
}

function leavingProblems(run: Run, trouble: Trouble, asked: readonly Asked[]): string[] {
  const accepted = asked.flatMap(({ request, answer }) => (request.livemode && answer?.status === 202 ? [uuidOf(answer.id ?? '')] : []))
  const arrived = acceptancesOf(run.sends.filter((each) => new Date(each.at).getTime() <= trouble.toMs))
  const left = accepted.filter((id) => arrived.has(id))
  return accepted.length >= sendsMin && left.length < shareMin * accepted.length
    ? [`Beside ${trouble.name} the sends of others did not leave.`]
    : []
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
