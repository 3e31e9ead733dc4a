import { describe, expect, test } from 'vitest'
import type { ClientCall, EventRow, Evidence, Post, ToldAct, ToldStatus } from '../evidence.ts'
import { judge } from './judge.ts'

const minuteMs = 60_000
const second = (n: number) => 1_000 * n

/** A history in which all is well: one send, taken, delivered and told to one webhook; and one message that a person wrote. */
function well(): Evidence & { post: Post; call: ClientCall; delivered: ToldStatus } {
  const call: ClientCall = { atMs: 0, endedAtMs: 10, text: 'm1', answer: { kind: 'accepted', id: 'msg_1', replayed: false } }
  const post: Post = {
    label: 'm1',
    n: 1,
    number: 0,
    person: '55119',
    process: 0,
    attempt: 1,
    startedAtMs: 20,
    atMs: 20,
    truth: 'accepted',
    acceptedAtMs: 20,
    answeredAtMs: 90,
    says: 'accepted',
  }
  const delivered: ToldStatus = { label: 'm1', status: 'delivered', at: new Date(second(2)), takenAtMs: second(3), tellings: 1 }
  const unset = { errorCode: null, errorMessage: null, outcomeUnknown: false, readAtMs: null, failedAtMs: null }
  const events = [
    { id: 'evt_1', type: 'message.sent', label: 'm1' },
    { id: 'evt_2', type: 'message.delivered', label: 'm1' },
    { id: 'evt_3', type: 'message.received', label: 'i1' },
  ].map((each, i) => ({ ...each, status: 'sent', text: null, errorMessage: null, createdAtMs: second(i + 1), reaction: null }))
  return {
    post,
    call,
    delivered,
    requests: [{ label: 'm1', number: 0, person: '55119', key: 'key-m1', calls: [call] }],
    posts: [post],
    statuses: [delivered],
    acts: [],
    inbound: [{ label: 'i1', number: 0, takenAtMs: second(3), tellings: 2 }],
    receipts: events.map(({ id, type, label, createdAtMs }) => ({
      webhook: 'good',
      eventId: id,
      type,
      label,
      process: 0,
      atMs: createdAtMs,
      answeredAtMs: createdAtMs + 50,
      statusCode: 200,
      sameBytes: true,
    })),
    faults: [],
    jumps: [],
    ownership: [
      { kind: 'taken', owner: 'a', shards: [{ shard: 7, epoch: 1 }] },
      { kind: 'intents', owner: 'a', shards: [{ shard: 7, epoch: 1 }] },
    ],
    complaints: [],
    calmFromMs: 0,
    webhooks: ['good'],
    mayExpire: false,
    rows: {
      messages: [
        {
          ...unset,
          id: 'msg_1',
          direction: 'outbound',
          kind: 'text',
          text: 'm1',
          label: 'm1',
          status: 'delivered',
          wamid: 'wamid.OUT-m1-1',
          createdAtMs: 5,
          sentAtMs: 90,
          deliveredAtMs: second(2),
        },
        {
          ...unset,
          id: 'msg_2',
          direction: 'inbound',
          kind: 'text',
          text: 'i1',
          label: 'i1',
          status: 'received',
          wamid: 'wamid.IN-i1',
          createdAtMs: 5,
          sentAtMs: null,
          deliveredAtMs: null,
        },
      ],
      events,
      deliveries: events.map(({ id }) => ({ id: `dlv_${id}`, webhook: 'good', eventId: id, status: 'succeeded', attempt: 1, attempts: 1 })),
      attempts: events.map(({ id, createdAtMs }) => ({ webhook: 'good', eventId: id, n: 1, startedAtMs: createdAtMs, statusCode: 200 })),
      reactions: [],
      idempotency: [{ key: 'key-m1', answerId: 'msg_1' }],
      usageDifferences: [],
      open: { queued: 0, notices: 0, deliveries: 0, lanesDue: 0, parkedOfOurs: 0 },
    },
  }
}

type World = ReturnType<typeof well>
const message = (world: World) => world.rows.messages[0] as World['rows']['messages'][number]
const first = <Item>(items: Item[]): Item => items[0] as Item

/** The invariants that a change of the good history breaks. */
function brokenBy(change: (world: World) => void): string[] {
  const world = well()
  change(world)
  return [...new Set(judge(world, 2).map((words) => words.split(':')[0] ?? ''))]
}

const again = (world: World, more: Partial<Post>): Post => ({ ...world.post, n: 2, atMs: 500, startedAtMs: 500, ...more })
const fail = (world: World, words: string) =>
  Object.assign(message(world), { status: 'failed', errorMessage: words, sentAtMs: null, deliveredAtMs: null })
const expiredWords = 'The message waited in the send queue for longer than 15 minutes and was not sent.'

test('a history in which all is well breaks nothing', () => {
  expect(judge(well(), 2)).toEqual([])
})

describe('I1 is broken by', () => {
  const cases: Record<string, (world: World) => void> = {
    'a message that was taken twice': (world) => world.posts.push(again(world, { acceptedAtMs: 500 })),
    'a message that has no end': (world) => Object.assign(message(world), { status: 'queued' }),
    'a message that counts as delivered and was never taken': (world) =>
      Object.assign(world.post, { truth: 'ignored', acceptedAtMs: null }),
    'a message that failed and was taken': (world) => fail(world, 'refused'),
    'a call after one whose outcome is unknown': (world) => {
      Object.assign(world.post, { says: 'unknown', truth: 'ignored', acceptedAtMs: null })
      world.posts.push(again(world, { acceptedAtMs: 500 }))
    },
    'a call after one whose answer came to nobody': (world) => {
      Object.assign(world.post, { says: 'not_accepted', truth: 'not_accepted', acceptedAtMs: null, answeredAtMs: null })
      world.posts.push(again(world, { acceptedAtMs: 500 }))
    },
    'an expiry that has no reason': (world) => {
      fail(world, expiredWords)
      world.posts.length = 0
    },
    'an expiry of what may have been taken': (world) => {
      fail(world, expiredWords)
      world.mayExpire = true
      Object.assign(world.post, { says: 'unknown', truth: 'ignored', acceptedAtMs: null })
    },
    'a message that is given up although its answer came': (world) => fail(world, 'The outcome is unknown'),
  }
  test.each(Object.entries(cases))('%s', (_name, change) => {
    expect(brokenBy(change)).toContain('I1')
  })
})

test.each<[string, string, (world: World) => void]>([
  ['I2', 'two messages under one key', (world) => world.rows.messages.push({ ...message(world), id: 'msg_9' })],
  ['I2', 'an answer whose message is not there', (world) => Object.assign(message(world), { id: 'msg_9' })],
  [
    'I2',
    'two answers that differ',
    (world) => first(world.requests).calls.push({ ...world.call, answer: { kind: 'accepted', id: 'msg_9', replayed: false } }),
  ],
  [
    'I2',
    'a key that is in conflict with its own body',
    (world) => first(world.requests).calls.push({ ...world.call, answer: { kind: 'refused', code: 'idempotency_conflict' } }),
  ],
  ['I2', 'an answer that is not kept under its key', (world) => (world.rows.idempotency.length = 0)],
  ['I3', 'a call two seconds after the fifteen minutes', (world) => (world.post.atMs = 15 * minuteMs + second(5))],
  ['I3', 'an end that comes after more than seventeen minutes', (world) => (first(world.rows.events).createdAtMs = 18 * minuteMs)],
  ['I4', 'a message that overtakes the one before it', overtake],
  [
    'I5',
    'more starts in a second than the pace allows',
    (world) => world.posts.push(...[1, 2, 3].map((n) => ({ ...world.post, label: `m${n}`, startedAtMs: 20 + n }))),
  ],
  ['I6', 'a notice that nobody ever took', (world) => (world.delivered.takenAtMs = null)],
  ['I6', 'a message of a person that is lost', (world) => world.rows.messages.pop()],
  [
    'I6',
    'a message of a person that is there twice',
    (world) => world.rows.messages.push({ ...(world.rows.messages[1] as World['rows']['messages'][number]), id: 'msg_3' }),
  ],
  ['I7', 'a status that is lower than what was told', (world) => Object.assign(message(world), { status: 'sent' })],
  ['I7', 'a status that nobody told', (world) => (world.statuses.length = 0)],
  ['I7', 'a moment that is not the one that was told', (world) => (message(world).deliveredAtMs = second(9))],
  ['I7', 'a delivered message without a moment of sending', (world) => (message(world).sentAtMs = null)],
  ['I8', 'an event that is missing', (world) => world.rows.events.shift()],
  ['I8', 'an event that is there twice', (world) => world.rows.events.push({ ...first(world.rows.events), id: 'evt_9' })],
  [
    'I8',
    'a give-up before its time',
    (world) => world.rows.events.push({ ...first(world.rows.events), type: 'message.failed', errorMessage: 'The outcome is unknown' }),
  ],
  ['I9', 'an event that a webhook is not owed', (world) => world.rows.deliveries.shift()],
  ['I9', 'a delivery that counts as done and never arrived', (world) => (first(world.receipts).statusCode = 500)],
  ['I9', 'a delivery that failed before its six attempts', (world) => (first(world.rows.deliveries).status = 'failed')],
  ['I9', 'a second attempt that comes too early', (world) => triedAgainAfter(world, 59_000)],
  ['I9', 'a second attempt that comes too late', (world) => triedAgainAfter(world, 63_000)],
  [
    'I10',
    'an attempt that is not in the history though nothing broke',
    (world) => world.receipts.push({ ...first(world.receipts), atMs: second(9) }),
  ],
  ['I12', 'an attempt in the history that no receiver saw', (world) => (first(world.rows.attempts).startedAtMs = 3)],
  ['I12', 'a status in the history that no receiver gave', (world) => (first(world.rows.attempts).statusCode = 201)],
  ['I12', 'bytes that changed between attempts', (world) => (first(world.receipts).sameBytes = false)],
  [
    'I15',
    'an intent of who lost the shard',
    (world) => world.ownership.splice(1, 0, { kind: 'taken', owner: 'b', shards: [{ shard: 7, epoch: 2 }] }),
  ],
  [
    'I15',
    'an intent under an older epoch of the same owner',
    (world) => world.ownership.splice(1, 0, { kind: 'taken', owner: 'a', shards: [{ shard: 7, epoch: 2 }] }),
  ],
  ['I17', 'something that still waits', (world) => (world.rows.open.queued = 1)],
  [
    'usage 5',
    'a counter that is not what the messages say',
    (world) => world.rows.usageDifferences.push({ accountId: '', day: '2031-03-02', kind: 'counted', detail: '', counted: 2, found: 1 }),
  ],
  ['I17', 'a tick that failed by itself', (world) => world.complaints.push('lane.tick_failed')],
])('%s is broken by %s', (name, _what, change) => {
  expect(brokenBy((world) => void change(world))).toContain(name)
})

test('an attempt that was under way when its process died may be missing in the history', () => {
  const broken = brokenBy((world) => {
    world.receipts.unshift({ ...first(world.receipts), atMs: 500, answeredAtMs: 550 })
    world.faults.push({ kind: 'crash', process: 0, fromMs: 520, untilMs: 520 })
  })
  expect(broken).toEqual([])
})

/** A second message to the same person, asked for later and taken earlier. */
function overtake(world: World): void {
  const call: ClientCall = {
    ...world.call,
    text: 'm2',
    atMs: 11,
    endedAtMs: 15,
    answer: { kind: 'accepted', id: 'msg_5', replayed: false },
  }
  world.requests.push({ ...first(world.requests), label: 'm2', key: null, calls: [call] })
  world.posts.push({ ...world.post, label: 'm2', atMs: 16, acceptedAtMs: 16 })
}

function triedAgainAfter(world: World, ms: number): void {
  const [receipt, attempt] = [first(world.receipts), first(world.rows.attempts)]
  const atMs = receipt.answeredAtMs + ms
  receipt.statusCode = 500
  attempt.statusCode = 500
  world.receipts.push({ ...receipt, atMs, answeredAtMs: atMs + 50, statusCode: 200 })
  world.rows.attempts.splice(1, 0, { ...attempt, n: 2, startedAtMs: atMs, statusCode: 200 })
}

describe('what people do to messages:', () => {
  const at = (n: number) => new Date(second(n))
  const act = (label: string, n: number, what: ToldAct['act'], target = 'i1'): ToldAct => ({
    ...{ label, target, person: '55119', at: at(n), act: what, takenAtMs: second(n), tellings: 1 },
  })
  const edit = (n: number) => act(`a${n}`, n, { kind: 'edit', text: `words of ${n}` })
  const reaction = (n: number, emoji: string) => act(`r${n}`, n, { kind: 'reaction', emoji })
  const inbound = (world: World) => world.rows.messages[1] as World['rows']['messages'][number]
  let events = 0
  /** Tells an event, and lets the one webhook hear it. */
  const tell = (world: World, type: string, more: Partial<EventRow> = {}) => {
    events += 1
    const id = `evt_act${events}`
    const event = {
      id,
      type,
      label: 'i1',
      status: 'received',
      text: null,
      errorMessage: null,
      createdAtMs: second(9),
      reaction: null,
      ...more,
    }
    world.rows.events.push(event)
    const heard = { webhook: 'good', eventId: id, type, label: 'i1', process: 0, atMs: second(9), answeredAtMs: second(9), statusCode: 200 }
    world.receipts.push({ ...heard, sameBytes: true })
    world.rows.deliveries.push({ id: `dlv_${id}`, webhook: 'good', eventId: id, status: 'succeeded', attempt: 1, attempts: 1 })
    world.rows.attempts.push({ webhook: 'good', eventId: id, n: 1, startedAtMs: second(9), statusCode: 200 })
  }
  /** Two edits and two reactions, of each of which only the later one was told. */
  const acted = (world: World) => {
    world.acts.push(edit(4), edit(5), reaction(6, '👍'), reaction(7, ''))
    tell(world, 'message.edited', { text: 'words of 5' })
    tell(world, 'message.reaction', { reaction: { person: '55119', emoji: '', atMs: second(7) } })
    inbound(world).text = 'words of 5'
    world.rows.reactions.push({ label: 'i1', person: '55119', emoji: '' })
  }

  test('all is well', () => {
    expect(brokenBy(acted)).toEqual([])
  })

  test.each<[string, string, (world: World) => void]>([
    ['I6', 'an act that was never taken', (world) => void world.acts.push({ ...edit(3), takenAtMs: null })],
    ['I7', 'older words', (world) => Object.assign(inbound(world), { text: 'words of 4' })],
    ['I7', 'words after a deletion', (world) => void world.acts.push(act('d', 8, { kind: 'deletion' }))],
    ['I7', 'a placeholder that was never filled', (world) => Object.assign(inbound(world), { kind: 'placeholder' })],
    ['I7', 'an older reaction', (world) => world.rows.reactions.splice(0, 1, { label: 'i1', person: '55119', emoji: '👍' })],
    ['I7', 'a reaction that is kept twice', (world) => void world.rows.reactions.push({ label: 'i1', person: '55119', emoji: '' })],
    ['I7', 'a reaction that nobody gave', (world) => void world.rows.reactions.push({ label: 'm1', person: '55119', emoji: '👍' })],
    ['I8', 'older words that are told after the newer ones', (world) => tell(world, 'message.edited', { text: 'words of 4' })],
    ['I8', 'an edit that is told twice', (world) => tell(world, 'message.edited', { text: 'words of 5' })],
    ['I8', 'a last edit that is not told', (world) => void world.acts.push(edit(8))],
    ['I8', 'a deletion that nobody did', (world) => tell(world, 'message.deleted')],
    ['I8', 'a last reaction that is not told', (world) => void world.acts.push(reaction(8, '👍'))],
    [
      'I8',
      'words that are told after the deletion',
      (world) => {
        world.acts.push(act('d', 8, { kind: 'deletion' }))
        inbound(world).text = null
        tell(world, 'message.deleted')
        tell(world, 'message.edited', { text: 'words of 5' })
      },
    ],
  ])('%s is broken by %s', (name, _what, change) => {
    const broken = brokenBy((world) => {
      acted(world)
      change(world)
    })
    expect(broken).toContain(name)
  })
})
