import { type Clock, pause } from '../../base/clock.ts'
import { BatcherFull, createBatcher } from '../../platform/database/batcher.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { faultWords, isRefusedForGood } from '../../platform/database/failure.ts'
import type { Vitals } from '../../platform/observe/vitals.ts'
import type { Ended } from './deliver.ts'
import { recordAttempts } from './delivery-store.ts'
import { setFailingSince } from './lane-store.ts'
import type { WebhookObservation } from './observation.ts'
import { recordRetries } from './retry-store.ts'
import { slots } from './rules.ts'

/** `failing`: what this attempt makes of the webhook's standing; null when it stays as it is. */
export type EndedAttempt = Ended & { failing: { since: Date | null } | null }

/** `refused`: the database does not take it, even without the answer's head; the delivery is due as before. `lost`: given up before. */
export type Recorded = 'recorded' | 'refused' | 'lost'

export type AttemptRecorder = {
  /** Resolves when the attempt is in the database, when it is sure that it never will be, or when the recorder was given up. Never rejects. */
  record(attempt: EndedAttempt): Promise<Recorded>
  /** Ends the waiting of whatever is not recorded yet. */
  giveUp(): void
}

type Deps = { database: Database; clock: Clock; observe: (observation: WebhookObservation) => void; vitals?: Vitals | undefined }

const recordsEveryMs = 15

/** How long a result waits for a database that is away, growing to the last. */
const retryDelaysMs = [100, 500, 2_000]

/**
 * rule: delivery 3. Writes results, all that end at about the same time in one transaction. A result that the database does not take is kept and tried again for as long
 * as it takes: forgetting it would post the event a second time. It keeps its slot meanwhile, which bounds how many there can be. One whose data are
 * refused would keep it for ever, so that one ends.
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

  const waits = (attempt: EndedAttempt, tries: number, error: unknown) =>
    observe({ kind: 'webhook.result_waits', webhookId: attempt.webhookId, tries, message: wordsOf(error) })

  /** Waits for a database that is away; throws when the data are refused, and `GivenUp` once the process stops. */
  const writeSurely = async (attempt: EndedAttempt): Promise<void> => {
    for (let tries = 1; !givenUp; tries += 1) {
      try {
        await write(attempt)
        return
      } catch (error) {
        if (isRefusedForGood(error)) throw error
        waits(attempt, tries, error)
        await Promise.race([pause(clock, retryDelaysMs[tries - 1] ?? 2_000), given.promise])
      }
    }
    throw new GivenUp()
  }

  return {
    async record(attempt) {
      const { webhookId } = attempt
      try {
        await writeSurely(attempt).catch((error: unknown) => {
          if (!isRefusedForGood(error)) throw error
          // What the receiver wrote is all that is not ours.
          return writeSurely({ ...attempt, responseHead: '' })
        })
        return 'recorded'
      } catch (error) {
        if (error instanceof GivenUp) {
          observe({ kind: 'webhook.result_lost', webhookId })
          return 'lost'
        }
        observe({ kind: 'webhook.result_refused', webhookId, message: faultWords(error) })
        return 'refused'
      }
    },
    giveUp() {
      givenUp = true
      given.resolve()
    },
  }
}

class GivenUp extends Error {}

const wordsOf = (error: unknown): string => {
  if (error instanceof BatcherFull || !(error instanceof Error)) return error instanceof Error ? error.message : String(error)
  return error.stack ?? error.message
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
