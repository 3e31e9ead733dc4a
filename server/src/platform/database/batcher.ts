import { assert } from '../../base/assert.ts'
import { type Clock, pause } from '../../base/clock.ts'
import { letOthersRun } from '../../base/let-others-run.ts'
import type { Vitals } from '../observe/vitals.ts'
import { isDataFailure } from './failure.ts'
import { inHalves } from './halves.ts'
import { createWaiting, type Waiting, type WaitingBounds } from './waiting.ts'
import { type Fate, watchRuns } from './watch-runs.ts'

/** How many items one commit took. Many a second: not for the log of a busy day. */
export type BatchObservation = { kind: 'batch'; name: string; items: number }

export type BatcherOptions<Input, Output> = WaitingBounds<Input> & {
  name: string
  observe: (observation: BatchObservation) => void
  /**
   * When so many wait while a run is under way, a second begins beside it: the database works on one while the process prepares the
   * other. Left out: one run at a time.
   */
  besideFrom?: number
  /**
   * How far apart runs begin at least. A lone caller is served at once; under load each run then takes more, where each would cost the
   * same for little. Left out: as soon as the one before has ended.
   */
  spacing?: { clock: Clock; ms: number }
  /** How long a caller waits; one that waits longer is refused with `BatcherLate`. Left out: as long as it takes. */
  patience?: { clock: Clock; msMax: number }
  /** Whom the batcher tells how it does, as `watchRuns` says; left out: nobody asks. */
  vitals?: Vitals | undefined
  /** One transaction for all of them; answers in the order asked. */
  run: (items: readonly Input[]) => Promise<readonly Output[]>
}

/** More callers than a batcher may hold are waiting: the database is slower than the load. */
export class BatcherFull extends Error {
  constructor() {
    super('too much is waiting for the database')
  }
}

/**
 * The database does not answer in time. What had not begun is not done any more; what had may still be committed, as after any
 * connection that is lost while a commit is under way.
 */
export class BatcherLate extends Error {
  constructor() {
    super('the database did not answer in time')
  }
}

/**
 * Joins concurrent callers into one run. The next run starts when the one before it returned, without any timer, so a lone
 * caller waits for one commit and a crowd shares one, or two side by side where `besideFrom` allows it. When the data of a run are refused it is halved until the
 * item at fault stands alone, so that its neighbours go on.
 */
export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): (item: Input) => Promise<Output> {
  const { besideFrom = Number.POSITIVE_INFINITY } = options
  const waiting = createWaiting<Input, Output>(options)
  let runs = 0
  let beganMs = Number.NEGATIVE_INFINITY
  const watch = watchRuns(options)

  /** Whether what waits is worth a run, with so many others under way. */
  const isWorthARun = (others: number) => waiting.count() > 0 && (others === 0 || (others === 1 && waiting.count() >= besideFrom))

  const untilSpaced = async (): Promise<void> => {
    if (options.spacing === undefined) return
    const { clock, ms } = options.spacing
    const waitMs = beganMs + ms - clock.monotonicMs()
    if (waitMs > 0 && waiting.count() > 0) await pause(clock, waitMs)
  }

  const flush = async (): Promise<void> => {
    // One turn of the event loop lets everyone who is already on the way come along.
    await letOthersRun()
    for (;;) {
      await untilSpaced()
      const batch = isWorthARun(runs - 1) ? waiting.take() : []
      if (batch.length === 0) break
      beganMs = options.spacing?.clock.monotonicMs() ?? beganMs
      options.observe({ kind: 'batch', name: options.name, items: batch.length })
      const ended = watch.began()
      ended(await runAll(options.run, batch))
    }
    runs -= 1
    if (runs === 0) watch.rests()
  }

  return (item) =>
    new Promise<Output>((resolve, reject) => {
      if (!waiting.hasRoomFor(item)) return reject(new BatcherFull())
      waiting.add(leavingInTime(options.patience, { item, isLate: false, resolve, reject }))
      if (!isWorthARun(runs)) return
      runs += 1
      if (runs === 1) watch.moved()
      void flush()
    })
}

/** The same caller, who is refused once its patience is over. */
function leavingInTime<Input, Output>(
  patience: BatcherOptions<Input, Output>['patience'],
  caller: Waiting<Input, Output>,
): Waiting<Input, Output> {
  if (patience === undefined) return caller
  const cancel = patience.clock.after(patience.msMax, () => {
    // Only marked: taking it out of a long list, one after the other, would cost more than the wait.
    bounded.isLate = true
    caller.reject(new BatcherLate())
  })
  const bounded: Waiting<Input, Output> = {
    ...caller,
    resolve(output) {
      cancel()
      caller.resolve(output)
    },
    reject(error) {
      cancel()
      caller.reject(error)
    },
  }
  return bounded
}

/** Never throws: each caller learns the fate of its own item. Returns `done` when anything was, else the worst. */
async function runAll<Input, Output>(run: BatcherOptions<Input, Output>['run'], batch: readonly Waiting<Input, Output>[]): Promise<Fate> {
  let fate: Fate = 'refused'
  const work = async (some: readonly Waiting<Input, Output>[]) => {
    const outputs = await run(some.map((each) => each.item))
    assert(outputs.length === some.length, `a batch of ${some.length} was answered with ${outputs.length}`)
    return outputs
  }
  await inHalves(batch, work, {
    done(some, outputs) {
      fate = 'done'
      some.forEach((each, i) => {
        each.resolve(outputs[i] as Output)
      })
    },
    failed(some, error) {
      if (fate === 'refused' && !isDataFailure(error)) fate = 'failed'
      for (const each of some) each.reject(error)
    },
  })
  return fate
}
