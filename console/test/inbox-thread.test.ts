import { describe, expect, test } from 'vitest'
import { readEvents } from '../src/api/event-stream.ts'
import { gather, type LiveEvent } from '../src/api/gather.ts'
import type { Note, TeamMessage } from '../src/api/generated/operations.ts'
import { markedParts } from '../src/features/inbox/list/marked-parts.ts'
import { rowsOf } from '../src/features/inbox/thread/rows.ts'
import { snoozeTimes } from '../src/features/inbox/thread/snooze-times.ts'
import { createThread } from '../src/features/inbox/thread/thread-store.ts'

const message = (n: number, more: Partial<TeamMessage> = {}) =>
  ({
    id: `msg_${String(n).padStart(4, '0')}`,
    direction: 'inbound',
    source: 'chat',
    type: 'text',
    author: null,
    created_at: new Date(Date.UTC(2026, 10, 20, 12, n)).toISOString(),
    ...more,
  }) as TeamMessage
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => message(from + i))

/** A server with so many messages, that answers as ours does. */
function threadOf(count: number) {
  const all = numbers(1, count)
  const read = async ({ limit = 50, before, after, around }: { limit?: number; before?: string; after?: string; around?: string }) => {
    if (after !== undefined) {
      const newer = all.filter((each) => each.id > after)
      return { data: newer.slice(0, limit).toReversed(), has_more: newer.length > limit }
    }
    const top = around === undefined ? all.length : all.findIndex((each) => each.id === around) + limit / 2
    const older = all.slice(0, top).filter((each) => before === undefined || each.id < before)
    return { data: older.slice(-limit).toReversed(), has_more: older.length > limit, has_newer: top < all.length }
  }
  const changed = new Map<string, TeamMessage>()
  const readById = async (ids: readonly string[]) => ids.flatMap((id) => changed.get(id) ?? all.find((each) => each.id === id) ?? [])
  return { all, changed, thread: createThread({ read, readById }) }
}

const shown = (thread: ReturnType<typeof createThread>) => thread.getState().messages.map((each) => Number(each.id.slice(4)))

describe('a thread', () => {
  test('is read from its end up to its beginning, each message once and in order', async () => {
    const { thread } = threadOf(120)
    await thread.open(null)
    while (thread.getState().hasOlder) await thread.loadOlder()
    expect(shown(thread)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
  })

  test('around a message it reaches both ends', async () => {
    const { thread } = threadOf(200)
    await thread.open('msg_0100')
    expect(thread.getState()).toMatchObject({ hasOlder: true, hasNewer: true, center: { id: 'msg_0100' } })
    while (thread.getState().hasNewer) await thread.loadNewer()
    while (thread.getState().hasOlder) await thread.loadOlder()
    expect(shown(thread)).toHaveLength(200)
  })

  test('what changes is replaced, what is new is added at the end, and counted where the end is not loaded', async () => {
    const { thread, all, changed } = threadOf(200)
    await thread.open(null)
    changed.set('msg_0190', message(190, { text: 'edited' }))
    all.push(message(201))
    await thread.refresh(['msg_0190', 'msg_0201', 'msg_0001'])
    expect(shown(thread).at(-1)).toBe(201)
    expect(shown(thread)).not.toContain(1)
    expect(thread.getState().messages.find((each) => each.id === 'msg_0190')?.text).toBe('edited')

    await thread.open('msg_0050')
    all.push(message(202))
    await thread.refresh(['msg_0202'])
    expect(shown(thread)).not.toContain(202)
    expect(thread.getState().missed).toBe(1)
  })

  test('a change that comes while messages are read is not undone by their answer', async () => {
    const { thread, changed } = threadOf(20)
    const opening = thread.open(null)
    changed.set('msg_0020', message(20, { text: 'edited' }))
    await Promise.all([opening, thread.refresh(['msg_0020'])])
    expect(thread.getState().messages.at(-1)?.text).toBe('edited')
  })
})

test('notes stand among the messages of their time, and messages of one author together', () => {
  const note = { id: 'nte_1', created_at: message(2).created_at } as Note
  const rows = rowsOf([message(1), message(2), message(3), message(3, { id: 'msg_4', direction: 'outbound' })], [note], false)
  expect(rows.map((row) => row.key)).toEqual(['msg_0001', 'nte_1', 'msg_0002', 'msg_0003', 'msg_4'])
  expect(rows.map((row) => (row.kind === 'message' ? row.isFirst : null))).toEqual([true, null, true, false, true])
  expect(rows.filter((row) => row.day)).toHaveLength(1)
})

test.for([
  ['Uma cotação até sexta', 'cotacao', 'Uma [cotação] até sexta'],
  ['JOÃO e joão', 'joao', '[JOÃO] e [joão]'],
  ['Preço final', 'final preco', '[Preço] [final]'],
  ['nada aqui', 'x', 'nada aqui'],
])('%s, asked for %s', ([text = '', asked = '', expected]) => {
  expect(
    markedParts(text, asked)
      .map((part) => (part.isHit ? `[${part.text}]` : part.text))
      .join(''),
  ).toBe(expected)
})

test('Monday is the next one, on a Monday the one after', () => {
  const monday = (day: number) =>
    snoozeTimes(new Date(2026, 10, day, 15))
      .at(-1)
      ?.until.getDate()
  // 2026-11-23 is a Monday.
  expect([22, 23, 24, 29].map(monday)).toEqual([23, 30, 30, 30])
})

test('events are read however their bytes come', async () => {
  const bytes = new TextEncoder().encode(
    'retry: 1000\n\nevent: ready\nid: 7-a\ndata: {}\n\n: still here\nid: 8-b\n\nevent: change\nid: 9-c\ndata: {"messages":["é"]}\n\n',
  )
  for (const size of [1, 3, 1_000]) {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size))
        controller.close()
      },
    })
    const events = []
    for await (const event of readEvents(body)) if (event !== null && event.id !== null) events.push(event)
    expect(events).toEqual([
      { name: 'ready', id: '7-a', data: '{}' },
      { name: 'message', id: '8-b', data: '' },
      { name: 'change', id: '9-c', data: '{"messages":["é"]}' },
    ])
  }
})

test('a burst of changes is told as one, and a reset swallows what came with it', async () => {
  const told: LiveEvent[] = []
  const { add, stop } = gather(20, (event) => told.push(event))
  add({ kind: 'change', messages: ['a'], conversations: [] })
  for (const id of ['b', 'c', 'b']) add({ kind: 'change', messages: [id], conversations: ['x'] })
  expect(told).toHaveLength(1)
  await expect.poll(() => told.length).toBe(2)
  expect(told[1]).toEqual({ kind: 'change', messages: ['b', 'c'], conversations: ['x'] })
  add({ kind: 'reset' })
  add({ kind: 'change', messages: ['d'], conversations: [] })
  await expect.poll(() => told.length).toBe(3)
  expect(told[2]).toEqual({ kind: 'reset' })
  stop()
})
