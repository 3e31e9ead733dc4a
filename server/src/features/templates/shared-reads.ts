import type { Clock } from '../../base/clock.ts'

/** What a read says, and for how many milliseconds it counts without reading again. */
export type Read<Value> = { value: Value; goodMs: number }

const answersMax = 10_000

/**
 * Reads that are shared: what is being read is read once for all who ask, and what was read counts as long as the read says. A read that
 * throws is forgotten. Bounded: when too much is remembered, all of it is forgotten.
 */
export function shareReads<Wanted, Value>(
  clock: Clock,
  keyOf: (wanted: Wanted) => string,
  read: (wanted: Wanted, endsAtMs: number) => Promise<Read<Value>>,
): (wanted: Wanted, endsAtMs: number) => Promise<Value> {
  const answers = new Map<string, { value: Promise<Value>; goodUntilMs: number }>()
  return (wanted, endsAtMs) => {
    const key = keyOf(wanted)
    const known = answers.get(key)
    if (known !== undefined && known.goodUntilMs > clock.monotonicMs()) return known.value
    if (answers.size >= answersMax) answers.clear()
    const reading = read(wanted, endsAtMs)
    const answer = { value: reading.then((each) => each.value), goodUntilMs: Number.POSITIVE_INFINITY }
    answers.set(key, answer)
    void reading.then(
      ({ goodMs }) => {
        answer.goodUntilMs = clock.monotonicMs() + goodMs
      },
      () => answers.delete(key),
    )
    return answer.value
  }
}
