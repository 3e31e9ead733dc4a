/** What happened on the account: to which messages and conversations, or so much that everything is to be read anew. */
export type LiveEvent = { kind: 'change'; messages: readonly string[]; conversations: readonly string[] } | { kind: 'reset' }

/** Tells the first event at once, and what comes within the time after it as one. */
export function gather(ms: number, tell: (event: LiveEvent) => void): { add: (event: LiveEvent) => void; stop: () => void } {
  let waiting: LiveEvent | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    timer = null
    if (waiting === null) return
    const event = waiting
    waiting = null
    timer = setTimeout(flush, ms)
    tell(event)
  }
  return {
    add(event) {
      waiting = waiting === null ? event : both(waiting, event)
      if (timer === null) flush()
    },
    stop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      waiting = null
    },
  }
}

function both(a: LiveEvent, b: LiveEvent): LiveEvent {
  if (a.kind === 'reset' || b.kind === 'reset') return { kind: 'reset' }
  return {
    kind: 'change',
    messages: [...new Set([...a.messages, ...b.messages])],
    conversations: [...new Set([...a.conversations, ...b.conversations])],
  }
}
