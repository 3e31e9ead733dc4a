import type { Answer, Api } from './api.ts'
import { textTo } from './business.ts'
import { until } from './until.ts'

export type Load = {
  /** Message ids that were answered 202 so far. */
  accepted: ReadonlySet<string>
  /** Answers that were not 202, and how long each took. */
  failures: readonly { answer: Answer; ms: number }[]
  /** Calls that ended without any answer. */
  broken(): number
  /** Begins nothing more, repeats what is open until it is accepted, and says how many sends were wanted. */
  stop(): Promise<number>
}

/** The loads that one file of tests puts on a gateway, one after the other. */
export type Loads = {
  /** Starts one under keys of its own, also where a test is tried once more. */
  start(people: readonly string[], name: string): Load
  /** Ends one, and answers how many sends were wanted so far, of all that have ended. */
  end(load: Load): Promise<number>
  /** Ends what a failed test left running: for `afterEach`. */
  endAll(): Promise<void>
  /** Counts a send that a test made beside its load. */
  alsoWanted(count: number): void
}

export function openLoads(api: Api): Loads {
  const running = new Set<Load>()
  let started = 0
  let wanted = 0
  const end = async (load: Load) => {
    running.delete(load)
    const sent = await load.stop()
    wanted += sent
    return wanted
  }
  return {
    start(people, name) {
      started += 1
      const load = startLoad(api, people, `${name} ${started}`)
      running.add(load)
      return load
    },
    end,
    async endAll() {
      await Promise.allSettled([...running].map(end))
    },
    alsoWanted(count) {
      wanted += count
    },
  }
}

const callers = 6
const paceMs = 200
const acceptedMsMax = 120_000

/**
 * A customer's program under way: several callers who each send one text after the other at a steady pace, and repeat a send that
 * was not accepted, with the same idempotency key, until it is.
 */
function startLoad(api: Api, people: readonly string[], name: string): Load {
  const accepted = new Set<string>()
  const failures: { answer: Answer; ms: number }[] = []
  let broken = 0
  let wanted = 0
  let stopped = false

  const attempt = async (number: number): Promise<boolean> => {
    const startedMs = performance.now()
    const body = textTo(people[number % people.length] ?? '', `${name} ${number}`)
    try {
      const answer = await api.post('/v1/messages', body, { 'idempotency-key': `${name}-${number}` })
      if (answer.status === 202) accepted.add(answer.body.id)
      else failures.push({ answer, ms: performance.now() - startedMs })
      return answer.status === 202
    } catch {
      broken += 1
      return false
    }
  }
  const call = async (): Promise<void> => {
    while (!stopped) {
      const number = wanted
      wanted += 1
      await until(`the send ${name} ${number} is accepted`, () => attempt(number), acceptedMsMax)
      await new Promise((resolve) => setTimeout(resolve, paceMs))
    }
  }
  const calling = Promise.all(Array.from({ length: callers }, call))
  // Told by `stop`.
  calling.catch(() => {})
  return {
    accepted,
    failures,
    broken: () => broken,
    async stop() {
      stopped = true
      await calling
      return wanted
    },
  }
}
