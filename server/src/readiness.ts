import type { Clock } from './base/clock.ts'
import { takesWrites } from './platform/database/can-write.ts'
import type { Database } from './platform/database/database.ts'
import { type PartitionedTable, tablesWithout } from './platform/database/partitions.ts'
import type { ReadinessCheck } from './platform/http/health.ts'
import type { Metrics } from './platform/observe/metrics.ts'
import type { PartOfWork, Vitals } from './platform/observe/vitals.ts'

/** Loops without which nothing of what was promised goes on. The inbox, files and what is done by the hour may be late. */
const coreLoops = ['loop sends', 'loop deliveries', 'loop notices', 'loop ownership']
const batches = ['batch sends', 'batch notices', 'batch outcomes', 'batch delivery_results']

/** A loop, or batch, that has failed for so long: longer than a database takes to come back. */
const failingMsMax = 15_000
/** A step or a batch that has not ended after so long: more than all bounded waits in it together. */
const stuckMsMax = 30_000
/** Nothing that is stuck for so long ends by itself. */
const deadMsMax = 120_000

/** What the work of this process says of itself. Nothing about a single account, number or receiver makes any of it false. */
export function workChecks(vitals: Vitals, lease: (() => boolean) | null): ReadinessCheck[] {
  const check = (name: string, parts: readonly string[]): ReadinessCheck => ({
    name,
    check: async () => outcomeOf(vitals.all().filter((part) => parts.includes(part.name))),
  })
  const work = [check('loops', coreLoops), check('batches', batches)]
  return lease === null ? work : [...work, { name: 'lease', check: async () => ({ ok: lease() }) }]
}

function outcomeOf(parts: readonly PartOfWork[]): { ok: boolean; note?: string } {
  const troubles = parts.flatMap(({ name, failingMs, stuckMs }) => {
    if (stuckMs > stuckMsMax) return [`${name} has not moved for ${Math.round(stuckMs / 1_000)} seconds`]
    return failingMs > failingMsMax ? [`${name} has failed for ${Math.round(failingMs / 1_000)} seconds`] : []
  })
  return troubles.length === 0 ? { ok: true } : { ok: false, note: troubles.join('; ') }
}

/** What of this process stands still for ever: only a new process helps. */
export function deadParts(vitals: Vitals): string[] {
  return vitals
    .all()
    .filter(({ name, stuckMs }) => stuckMs > deadMsMax && [...coreLoops, ...batches].includes(name))
    .map(({ name }) => name)
}

/** Whether the database takes writes, asked over a connection of its own that no load can take away. */
export function databaseCheck(database: Database): ReadinessCheck {
  return {
    name: 'database',
    check: async () => ((await takesWrites(database)) ? { ok: true } : { ok: false, note: 'it is read-only' }),
  }
}

/** Whether what comes now finds the partition that it is written to: without it every write of its kind is refused. */
export function partitionsCheck(database: Database, clock: Pick<Clock, 'now'>, tables: readonly PartitionedTable[]): ReadinessCheck {
  return {
    name: 'partitions',
    check: async () => {
      const missing = await tablesWithout(database, tables, clock.now())
      return missing.length === 0 ? { ok: true } : { ok: false, note: `none for now: ${missing.join(', ')}` }
    },
  }
}

/** The same for who watches by numbers. */
export function vitalGauges(metrics: Metrics, vitals: Vitals, lease: (() => boolean) | null): void {
  const longest = (read: (part: PartOfWork) => number) => () => Math.max(0, ...vitals.all().map(read)) / 1_000
  metrics.gauge(
    { name: 'work_failing_seconds', help: 'For how long the loop or batch that has failed longest has failed.' },
    longest(({ failingMs }) => failingMs),
  )
  metrics.gauge(
    { name: 'work_stuck_seconds', help: 'For how long the loop or batch that is stuck longest has not moved.' },
    longest(({ stuckMs }) => stuckMs),
  )
  if (lease !== null) metrics.gauge({ name: 'lease_held', help: '1 while this process may work on its shards.' }, () => (lease() ? 1 : 0))
}
