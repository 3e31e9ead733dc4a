import type { Alert, AlertKind, Trouble } from './alert.ts'

const minuteMs = 60_000

/** A webhook that has failed for so long is told of. */
export const webhookFailingMs = 60 * minuteMs
/** The oldest send of an account may wait for so long without anybody being told. */
export const queueOldMs = 2 * minuteMs

/** How long a trouble must be gone until its episode is over: a queue that comes and goes is one trouble and not ten. */
const settlesAfterMs: Record<AlertKind, number> = {
  channel_token_lost: 0,
  channel_quality_low: 0,
  webhook_failing: 0,
  queue_old: 5 * minuteMs,
}

/** What changes: new episodes, those that go on, those that are over. */
export type Changes = { opened: Trouble[]; held: Alert[]; closed: Alert[] }

/** `partly`: kinds of which not all troubles were read, so that none of them is known to be over. Pure. */
export function compare(
  open: readonly Alert[],
  seen: { troubles: readonly Trouble[]; partly: ReadonlySet<AlertKind> },
  now: Date,
): Changes {
  const troubles = new Map(seen.troubles.map((each) => [keyOf(each), each]))
  const known = new Set(open.map(keyOf))
  const isOver = (alert: Alert) =>
    !troubles.has(keyOf(alert)) && !seen.partly.has(alert.kind) && now.getTime() - alert.heldAt.getTime() >= settlesAfterMs[alert.kind]
  return {
    opened: [...troubles.values()].filter((each) => !known.has(keyOf(each))),
    held: open.filter((each) => troubles.has(keyOf(each))),
    closed: open.filter(isOver),
  }
}

const keyOf = ({ accountId, kind, subject }: Trouble): string => `${accountId} ${kind} ${subject}`
