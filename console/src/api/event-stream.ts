/** One event of a stream of the form text/event-stream; without a name or data it only tells its id. */
export type StreamEvent = { name: string; id: string | null; data: string }

/** An event may be this long; a longer one ends the stream with an error. */
const eventCharsMax = 1_000_000

/** The events of a stream in their order; null for each sign of life that is none. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent | null> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) return
      rest += value.replaceAll('\r', '')
      if (rest.length > eventCharsMax) throw new Error('an event is too long')
      const blocks = rest.split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield eventOf(block)
      if (blocks.length === 0) yield null
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function eventOf(block: string): StreamEvent {
  const found: StreamEvent = { name: 'message', id: null, data: '' }
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    const field = line.slice(0, colon)
    if (field === 'event') found.name = value
    else if (field === 'id') found.id = value
    else if (field === 'data') data.push(value)
  }
  return { ...found, data: data.join('\n') }
}
