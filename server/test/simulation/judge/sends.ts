import type { ClientRequest, Evidence, MessageRow, Post } from '../evidence.ts'

const minuteMs = 60_000
/** The words of a give-up and of an expiry, by what only they say. */
export const saysUnknown = (words: string | null): boolean => words?.includes('outcome is unknown') === true
const saysExpired = (words: string | null): boolean => words?.includes('15 minutes') === true

export const outbound = ({ rows }: Evidence): MessageRow[] => rows.messages.filter((each) => each.direction === 'outbound')
export const postsOf = ({ posts }: Evidence, label: string): Post[] => posts.filter((each) => each.label === label)
const takenOf = (evidence: Evidence, label: string) => postsOf(evidence, label).filter((each) => each.acceptedAtMs !== null)

/** I1: what was accepted from a client has exactly one end, and upstream took it accordingly: once, never, or at most once where nobody can know. */
export function oneFate(evidence: Evidence): string[] {
  return outbound(evidence).flatMap((message) => {
    const taken = takenOf(evidence, message.label).length
    const told = evidence.statuses.some((each) => each.label === message.label && each.status === 'failed')
    const words = `${message.label} is ${message.status} (${message.errorMessage}) and was taken ${taken} times`
    if (taken > 1 || message.status === 'queued') return [words]
    if (message.status !== 'failed') return taken === 1 ? [] : [words]
    const isRight = saysUnknown(message.errorMessage) || taken === (told ? 1 : 0)
    return isRight ? [] : [words]
  })
}

/** I1: nothing is posted again after a call of which the gateway could not know that it was not taken. */
export function neverAgain(evidence: Evidence): string[] {
  return evidence.posts.flatMap((post) => {
    const isOpen = post.says !== 'not_accepted' || post.answeredAtMs === null
    const later = evidence.posts.find((each) => each.label === post.label && each.n > post.n)
    // A call that died before its first byte was none, but only its own process could have known that.
    return isOpen && later !== undefined ? [`${post.label} was posted again after call ${post.n} (${post.truth}, says ${post.says})`] : []
  })
}

/** I1: the words of an end are true: refused with upstream's code, expired without any call that upstream took. */
export function endsAreTrue(evidence: Evidence): string[] {
  return outbound(evidence).flatMap((message) => {
    if (message.status !== 'failed') return []
    const posts = postsOf(evidence, message.label)
    if (saysExpired(message.errorMessage)) {
      // Brakes last a minute or so: what upstream would take has no reason to wait for fifteen.
      if (!evidence.mayExpire) return [`${message.label} expired although upstream would have taken it`]
      const isSure = posts.every((each) => each.says === 'not_accepted')
      return isSure ? [] : [`${message.label} expired although its fate was open or decided`]
    }
    if (saysUnknown(message.errorMessage)) {
      const isKnown = posts.some((each) => each.says === 'accepted' && each.answeredAtMs !== null && !diedAfter(evidence, each))
      return isKnown ? [`${message.label} was given up as unknown although its answer came`] : []
    }
    return []
  })
}

/** Whether the process that made the call died, or stood still, before it can have recorded the answer. */
const diedAfter = ({ faults }: Evidence, post: Post) =>
  faults.some((each) => each.kind !== 'database' && each.process === post.process && each.fromMs >= post.atMs)

/** I2 and idempotency: one key is one message, told to everyone who used it with the same body; without a key each answer is one message. */
export function oneMessageForEachKey(evidence: Evidence): string[] {
  const byLabel = Map.groupBy(outbound(evidence), (each) => each.label)
  return evidence.requests.flatMap((request) => {
    const texts = [...new Set([request.label, ...request.calls.map((each) => each.text)])]
    const messages = texts.flatMap((text) => byLabel.get(text) ?? [])
    const answers = new Set(request.calls.flatMap(({ answer }) => (answer.kind === 'accepted' ? [answer.id] : [])))
    const problems: string[] = []
    if (messages.length > 1) problems.push(`${request.label} became ${messages.length} messages`)
    if (answers.size > 1) problems.push(`${request.label} was answered with ${answers.size} different messages`)
    if (answers.size === 1 && messages[0]?.id !== [...answers][0]) problems.push(`${request.label} was accepted and is not there`)
    return [...problems, ...wrongConflicts(request), ...wrongMemory(evidence, request, messages[0])]
  })
}

/** The same body is never a conflict; another body under the same key is never accepted too. */
function wrongConflicts({ label, calls, key }: ClientRequest): string[] {
  if (key === null) return []
  const accepted = new Set(calls.filter(({ answer }) => answer.kind === 'accepted').map((each) => each.text))
  const conflicted = calls.filter(({ answer }) => answer.kind === 'refused' && answer.code === 'idempotency_conflict')
  const wrong = conflicted.filter((each) => accepted.has(each.text))
  return accepted.size > 1 || wrong.length > 0
    ? [`${label}: its key was accepted for ${[...accepted].join()} and in conflict with itself`]
    : []
}

function wrongMemory({ rows }: Evidence, { key, label }: ClientRequest, message: MessageRow | undefined): string[] {
  if (key === null) return []
  const kept = rows.idempotency.filter((each) => each.key === key)
  return kept.length === (message === undefined ? 0 : 1) && kept.every((each) => each.answerId === message?.id)
    ? []
    : [`${label}: ${kept.length} answers are kept under its key, for ${message === undefined ? 'no message' : 'one message'}`]
}

/** What a broken connection at acceptance may add to the moment at which the fifteen minutes begin. */
const acceptanceMsMax = 2_100

/** I3: nothing is posted later than two seconds after its fifteen minutes. */
export function nothingLate(evidence: Evidence): string[] {
  const byLabel = new Map(outbound(evidence).map((each) => [each.label, each]))
  return evidence.posts.flatMap((post) => {
    const message = byLabel.get(post.label)
    const lateMs = message === undefined ? 0 : post.atMs - (message.createdAtMs + 15 * minuteMs + acceptanceMsMax + 2_000)
    return lateMs > 0 ? [`${post.label} was posted ${lateMs} ms too late`] : []
  })
}

/** I3: each row has an end by 15 minutes and 2, save for the time in which no process was there or time jumped. */
export function endsInTime(evidence: Evidence): string[] {
  return outbound(evidence).flatMap((message) => {
    const first = evidence.rows.events.filter((each) => each.label === message.label)[0]
    const lateMs = (first?.createdAtMs ?? 0) - (message.createdAtMs + 17 * minuteMs)
    return lateMs > 20_000 ? [`${message.label} had no end for ${lateMs} ms too long`] : []
  })
}

/** A person whose outcome is unknown counts as busy for a minute, not longer. */
const busyMs = 59_000

/** I4: for one number and person upstream takes messages in the order in which they were accepted. */
export function inOrder(evidence: Evidence): string[] {
  const accepted = evidence.requests.flatMap((request) => {
    const call = request.calls.find(({ answer }) => answer.kind === 'accepted' && !answer.replayed)
    const taken = call === undefined ? undefined : takenOf(evidence, call.text)[0]
    return call === undefined || taken === undefined ? [] : [{ call, request, taken, posts: postsOf(evidence, call.text) }]
  })
  return accepted.flatMap((one) =>
    accepted.flatMap((other) => {
      const isSame = one.request.number === other.request.number && one.request.person === other.request.person
      // Only those that did not overlap have an order.
      if (!isSame || one.call.endedAtMs >= other.call.atMs || one.taken.atMs <= other.taken.atMs) return []
      const wasUnknown = one.posts.some((each) => each.atMs <= other.taken.atMs - busyMs)
      return wasUnknown ? [] : [`${other.call.text} overtook ${one.call.text}`]
    }),
  )
}

/** I5: at most so many starts of one number in any second, with the two per cent that the contract leaves. */
export function inPace(evidence: Evidence, perSecond: number): string[] {
  const most = Math.ceil(perSecond * 1.02)
  return [...Map.groupBy(evidence.posts, (each) => each.number)].flatMap(([number, posts]) => {
    const starts = posts.map((each) => each.startedAtMs).sort((a, b) => a - b)
    const burst = starts.findIndex((ms, i) => (starts[i + most] ?? Number.POSITIVE_INFINITY) - ms < 1_000)
    return burst === -1 ? [] : [`number ${number} started more than ${most} sends within a second`]
  })
}

/** I15: an intent is written only by who took the shard last, under the epoch of that taking. */
export function oneOwner({ ownership }: Evidence): string[] {
  const owners = new Map<number, string>()
  const problems: string[] = []
  for (const step of ownership) {
    for (const { shard, epoch } of step.shards) {
      const claim = `${step.owner} ${epoch}`
      if (step.kind === 'taken') owners.set(shard, claim)
      else if (owners.get(shard) !== claim)
        problems.push(`an intent for shard ${shard} was written under epoch ${epoch} by who does not own it`)
    }
  }
  return problems
}
