import { assert } from '../../base/assert.ts'
import { isDataFailure } from './failure.ts'

export type BatcherOptions<Input, Output> = {
  /** How many items one run takes. */
  itemsMax: number
  /** How many callers may wait; one more is refused with `BatcherFull`. */
  waitingMax: number
  /** One transaction for all of them; answers in the order asked. */
  run: (items: readonly Input[]) => Promise<readonly Output[]>
}

/** More callers than a batcher may hold are waiting: the database is slower than the load. */
export class BatcherFull extends Error {
  constructor() {
    super('too much is waiting for the database')
  }
}

type Waiting<Input, Output> = { item: Input; resolve: (output: Output) => void; reject: (error: unknown) => void }

/**
 * Joins concurrent callers into one run. The next run starts when the one before it returned, without any timer, so a lone
 * caller waits for one commit and a crowd shares one. When the data of a run are refused it is halved until the
 * item at fault stands alone, so that its neighbours go on.
 */
export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): (item: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = []
  let running = false

  const flush = async (): Promise<void> => {
    // One turn of the event loop lets everyone who is already on the way come along.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const batch = waiting.slice(0, options.itemsMax)
      waiting = waiting.slice(batch.length)
      await runAll(options.run, batch)
    }
    running = false
  }

  return (item) =>
    new Promise<Output>((resolve, reject) => {
      if (waiting.length >= options.waitingMax) return reject(new BatcherFull())
      waiting.push({ item, resolve, reject })
      if (running) return
      running = true
      void flush()
    })
}

/** Never throws: each caller learns the fate of its own item. */
async function runAll<Input, Output>(run: BatcherOptions<Input, Output>['run'], batch: readonly Waiting<Input, Output>[]): Promise<void> {
  try {
    const outputs = await run(batch.map((each) => each.item))
    assert(outputs.length === batch.length, `a batch of ${batch.length} was answered with ${outputs.length}`)
    batch.forEach((each, i) => {
      each.resolve(outputs[i] as Output)
    })
  } catch (error) {
    if (batch.length > 1 && isDataFailure(error)) {
      const half = Math.ceil(batch.length / 2)
      await runAll(run, batch.slice(0, half))
      await runAll(run, batch.slice(half))
    } else
      for (const each of batch) {
        each.reject(error)
      }
  }
}
