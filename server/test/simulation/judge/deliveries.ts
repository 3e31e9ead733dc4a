import type { AttemptRow, DeliveryRow, Evidence, Receipt } from '../evidence.ts'

const minuteMs = 60_000
const ladderMs = [1, 5, 25, 120, 600].map((minutes) => minutes * minuteMs)
const isGood = (statusCode: number | null) => statusCode !== null && statusCode >= 200 && statusCode < 300

type Story = { delivery: DeliveryRow; receipts: Receipt[]; attempts: AttemptRow[]; name: string }

function storiesOf({ rows, receipts }: Evidence): Story[] {
  const seen = Map.groupBy(receipts, (each) => `${each.webhook} ${each.eventId}`)
  const kept = Map.groupBy(rows.attempts, (each) => `${each.webhook} ${each.eventId}`)
  const events = new Map(rows.events.map((each) => [each.id, `${each.type} of ${each.label}`]))
  return rows.deliveries.map((delivery) => {
    const place = `${delivery.webhook} ${delivery.eventId}`
    const name = `${events.get(delivery.eventId) ?? 'an event that is not there'} for ${delivery.webhook}`
    return { delivery, receipts: seen.get(place) ?? [], attempts: kept.get(place) ?? [], name }
  })
}

/** I9: each webhook is owed each event once, and got it, or the whole ladder was climbed. */
export function everyEventArrives(evidence: Evidence): string[] {
  const owed = Map.groupBy(evidence.rows.deliveries, (each) => `${each.webhook} ${each.eventId}`)
  const missing = evidence.rows.events.flatMap((event) =>
    evidence.webhooks.flatMap((webhook) => {
      const count = owed.get(`${webhook} ${event.id}`)?.length ?? 0
      return count === 1 ? [] : [`${event.type} of ${event.label} is owed to ${webhook} ${count} times`]
    }),
  )
  const unfinished = storiesOf(evidence).flatMap(({ delivery, receipts, name }) => {
    const arrived = receipts.some((each) => isGood(each.statusCode))
    if (delivery.status === 'succeeded') return arrived ? [] : [`${name} succeeded and never arrived`]
    const isSpent = delivery.status === 'failed' && delivery.attempt === 6 && receipts.length >= 6
    return isSpent ? [] : [`${name} is ${delivery.status} after ${delivery.attempt} attempts`]
  })
  return [...missing, ...unfinished]
}

/** I9: attempts come no sooner than the ladder says, and no later than two per cent and a second, save where time jumped, nobody was there, or the webhook's slots were taken. */
export function ladderIsKept(evidence: Evidence): string[] {
  return storiesOf(evidence).flatMap(({ attempts, receipts, name }) =>
    attempts.flatMap((attempt, i) => {
      const before = attempts[i - 1]
      const delayMs = ladderMs[i - 1]
      if (before === undefined || delayMs === undefined) return []
      const ended = receipts.find((each) => each.atMs === before.startedAtMs)?.answeredAtMs ?? before.startedAtMs
      const gapMs = attempt.startedAtMs - ended
      const latestMs = delayMs + Math.min(delayMs * 0.02, 30_000) + 1_000
      const wasAway = [...evidence.jumps, ...awayOf(evidence)].some(
        (each) => each.fromMs <= ended + latestMs && each.untilMs + 3_000 >= ended + delayMs,
      )
      if (gapMs < delayMs) return [`${name} was tried again ${delayMs - gapMs} ms too early`]
      return gapMs > latestMs && !wasAway && !wasBusy(evidence, attempt) ? [`${name} was tried again ${gapMs - latestMs} ms too late`] : []
    }),
  )
}

/** Attempts of the same webhook were under way until then: a failing one has few slots. */
const wasBusy = ({ receipts }: Evidence, { webhook, startedAtMs }: AttemptRow) =>
  receipts.some((each) => each.webhook === webhook && each.atMs < startedAtMs && each.answeredAtMs >= startedAtMs - 1_000)

const awayOf = ({ faults }: Evidence) => faults.map(({ fromMs, untilMs }) => ({ fromMs, untilMs: untilMs + 10_000 }))

/** I10: a receiver sees more attempts than were recorded only for those under way when something broke. */
export function doublesOnlyByFaults(evidence: Evidence): string[] {
  return storiesOf(evidence).flatMap(({ receipts, attempts, name }) => {
    const recorded = new Set(attempts.map((each) => each.startedAtMs))
    const extra = receipts.filter((each) => !recorded.has(each.atMs))
    const good = receipts.filter((each) => isGood(each.statusCode))
    const unexplained = extra.filter((each) => !wasCutOff(evidence, each))
    const isTwice = good.length > 1 && good.slice(0, -1).every((each) => !wasCutOff(evidence, each))
    return [
      ...unexplained.map((each) => `${name} was posted at ${each.atMs} and is not in its history`),
      ...(isTwice ? [`${name} arrived ${good.length} times without any fault`] : []),
    ]
  })
}

/** Something broke between the post and the moment at which its result must have been recorded. */
function wasCutOff({ faults }: Evidence, receipt: Receipt): boolean {
  return faults.some((fault) => {
    const isNear = fault.fromMs <= receipt.answeredAtMs + 100 && fault.untilMs >= receipt.atMs
    // Two processes that own a shard one after the other may both be at the same delivery.
    return isNear && (fault.kind !== 'database' || fault.process === receipt.process)
  })
}

/** I12: the history holds nothing but what receivers saw, with the status that they gave, always the same bytes. */
export function historyIsTrue(evidence: Evidence): string[] {
  const changed = evidence.receipts.filter((each) => !each.sameBytes).map((each) => `${each.type} of ${each.label} came with other bytes`)
  const wrong = storiesOf(evidence).flatMap(({ attempts, receipts, name }) =>
    attempts
      .filter((attempt) => !receipts.some((each) => each.atMs === attempt.startedAtMs && each.statusCode === attempt.statusCode))
      .map((attempt) => `attempt ${attempt.n} of ${name} was seen by nobody`),
  )
  return [...changed, ...wrong]
}
