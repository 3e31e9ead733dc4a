/** Throws when our own reasoning was wrong. Never for bad input: that is a refusal. */
export function assert(condition: unknown, because: string): asserts condition {
  if (!condition) throw new Error(`bug: ${because}`)
}

/** The value, where our own reasoning says that there is one. */
export function present<Value>(value: Value | null | undefined, because: string): Value {
  assert(value !== null && value !== undefined, because)
  return value
}

/** Closes a switch over a union: a new member is then a type error at each place that must decide. */
export function unreachable(value: never): never {
  throw new Error(`bug: unexpected ${JSON.stringify(value)}`)
}
