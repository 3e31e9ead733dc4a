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

const callers = 6
const paceMs = 200
const acceptedMsMax = 120_000

/**
 * A customer's program under way: several callers who each send one text after the other at a steady pace, and repeat a send that
 * was not accepted, with the same idempotency key, until it is.
 */
export function startLoad(api: Api, people: readonly string[], name: string): Load {
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
