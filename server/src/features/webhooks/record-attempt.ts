import { type Clock, pause } from '../../base/clock.ts'
import { BatcherFull, createBatcher } from '../../platform/database/batcher.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { Ended } from './deliver.ts'
import { recordAttempts } from './delivery-store.ts'
import { setFailingSince } from './lane-store.ts'
import type { WebhookObservation } from './observation.ts'
import { recordRetries } from './retry-store.ts'
import { slots } from './rules.ts'

/** `failing`: what this attempt makes of the webhook's standing; null when it stays as it is. */
export type EndedAttempt = Ended & { failing: { since: Date | null } | null }

export type AttemptRecorder = {
  /** Resolves when the attempt is in the database: true, or false when the recorder was given up before. Never rejects. */
  record(attempt: EndedAttempt): Promise<boolean>
  /** Ends the waiting of whatever is not recorded yet. */
  giveUp(): void
}

type Deps = { database: Database; clock: Clock; observe: (observation: WebhookObservation) => void; vitals?: Vitals | undefined }

const recordsEveryMs = 15

/** How long a result waits for a database that is away, growing to the last. */
const retryDelaysMs = [100, 500, 2_000]

/**
 * rule: delivery 3. Writes results, all that end at about the same time in one transaction. A result that the database does not take is kept and tried again for as long
 * as it takes: forgetting it would post the event a second time. It keeps its slot meanwhile, which bounds how many there can be.
 */
export function createAttemptRecorder(deps: Deps): AttemptRecorder {
  const { database, clock, observe } = deps
  const given = Promise.withResolvers<void>()
  let givenUp = false
  const write = createBatcher<EndedAttempt, true>({
    name: 'delivery_results',
    observe,
    vitals: deps.vitals,
    itemsMax: slots.ofProcess,
    spacing: { clock, ms: recordsEveryMs },
    waitingMax: 2 * slots.ofProcess,
    run: async (attempts) => {
      await database.repeatable((tx) => writeAll(tx, attempts))
      return attempts.map(() => true)
    },
  })

  return {
    async record(attempt) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await write(attempt)
        } catch (error) {
          const message =
            error instanceof BatcherFull ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)
          observe({ kind: 'webhook.result_waits', webhookId: attempt.webhookId, tries, message })
          await Promise.race([pause(clock, retryDelaysMs[tries - 1] ?? 2_000), given.promise])
          if (givenUp) break
        }
      }
      observe({ kind: 'webhook.result_lost', webhookId: attempt.webhookId })
      return false
    },
    giveUp() {
      givenUp = true
      given.resolve()
    },
  }
}

async function writeAll(tx: Tx, attempts: readonly EndedAttempt[]): Promise<void> {
  const automatic = attempts.flatMap((each) => ('retryId' in each ? [] : [each]))
  const retries = attempts.flatMap((each) => ('retryId' in each ? [each] : []))
  // Two statements, because both kinds may be of one delivery, and a statement changes a row only once.
  if (automatic.length > 0) await recordAttempts(tx, automatic)
  if (retries.length > 0) await recordRetries(tx, retries)
  // Of several for one webhook the last counts.
  const lanes = new Map(
    attempts.flatMap(({ accountId, webhookId, failing }) =>
      failing === null ? [] : [[webhookId, { accountId, webhookId, failingSince: failing.since }] as const],
    ),
  )
  if (lanes.size > 0) await setFailingSince(tx, [...lanes.values()])
}
