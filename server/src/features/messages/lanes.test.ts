import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { type LossyConnection, lossyConnection } from '../../../test/support/lossy-connection.ts'
import { digits, goodGraph, newStage, noFiles, people, person, type Stage, secretKey, sql, textTo } from '../../../test/support/stage.ts'
import { findUsageDifferences } from '../../../test/support/usage-differences.ts'
import { present } from '../../base/assert.ts'
import { type ManualClock, manualClock, systemClock } from '../../base/clock.ts'
import { formatId, type Uuid } from '../../base/id.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { createOwnership, type Ownership } from '../../platform/lanes/ownership.ts'
import type { Brake, SendOutcome } from '../../platform/upstream/send.ts'
import { resumeAccount, suspendAccount } from '../accounts/public.ts'
import { setChannelToken } from '../channels/public.ts'
import { meetPeople } from '../contacts/public.ts'
import { followPeople } from '../opt-outs/public.ts'
import { applyStatuses } from './apply-status.ts'
import { type SendLanes, startSends } from './lanes.ts'
import type { Wamid } from './message.ts'
import { expiredText, unknownText } from './move.ts'
import type { SendObservation } from './observation.ts'
import { sendMessages } from './send.ts'
import type { Send } from './send-request.ts'
import { opaqueId, type Upstream, type UpstreamSend } from './upstream.ts'
import { keyOfFile, type UploadOutcome, type UpstreamFiles } from './upstream-files.ts'

const ana = '5511987654321'
const bia = '5511987654322'
const minuteMs = 60_000

let own: TestDatabase
let clock: ManualClock
let stage: Stage
let gateways: Gateway[]
/** The clocks for which time goes on. */
let running: Set<ManualClock>

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.close())
beforeEach(async () => {
  // Today, because the test database has today's partitions.
  clock = manualClock(new Date().toISOString())
  gateways = []
  running = new Set([clock])
  await sql(own.database, 'truncate send_queue')
  await sql(own.database, 'delete from process')
  await sql(own.database, 'update shard set owner = null')
  stage = await newStage(own.database, clock)
  await people(own.database, clock, stage, [ana, bia])
})
afterEach(async () => {
  for (const each of gateways) await each.stop()
  // rule: usage 5
  expect(await findUsageDifferences(own.database, stage.accountId)).toEqual([])
})

type Post = { send: UpstreamSend; atMs: number }
type Script = (send: UpstreamSend, n: number) => SendOutcome | Promise<SendOutcome>

/** An upstream that answers by script and remembers what it was asked, and when. */
function scripted(script: Script): Upstream & { posts: Post[] } {
  const posts: Post[] = []
  return {
    concurrentMax: 100,
    posts,
    async post(send) {
      posts.push({ send, atMs: clock.monotonicMs() })
      return script(send, posts.length)
    },
  }
}

const accept = (send: UpstreamSend): SendOutcome => ({
  kind: 'accepted',
  wamid: `wamid.${opaqueId(send)}`,
  input: send.recipient,
  waId: null,
  userId: null,
  statusCode: 200,
})
const refuse: SendOutcome = { kind: 'refused', code: 131047, message: 'closed', statusCode: 400 }
const notAccepted = (brake: Brake, code: number | null = 131016): SendOutcome => ({
  kind: 'not_accepted',
  brake,
  code,
  message: 'not now',
  statusCode: 503,
})
const unknown: SendOutcome = { kind: 'unknown', because: 'timeout', code: null, statusCode: null }
const first =
  (outcome: SendOutcome): Script =>
  (send, n) =>
    n === 1 ? outcome : accept(send)

/** An answer that comes when the test says so. */
function later() {
  const waiting: ((outcome: SendOutcome) => void)[] = []
  return {
    script: () => new Promise<SendOutcome>((resolve) => waiting.push(resolve)),
    answer: (outcome: SendOutcome) => waiting.shift()?.(outcome),
  }
}

type Gateway = { lanes: SendLanes; ownership: Ownership; observed: SendObservation[]; clock: ManualClock; stop(): Promise<void> }

async function startGateway(
  live: Upstream,
  options: { database?: Database; sendsPerSecond?: number; files?: UpstreamFiles } = {},
): Promise<Gateway> {
  const observed: SendObservation[] = []
  // A clock of its own, so that one can be stopped while time goes on for the others.
  const itsClock = manualClock(clock.now().toISOString())
  running.add(itsClock)
  const ownership = createOwnership({ database: own.database, clock: itsClock, observe: () => {} }, { alone: false })
  const lanes = startSends(
    {
      database: options.database ?? own.database,
      clock: itsClock,
      observe: (each) => observed.push(each),
      ownership,
      live,
      test: scripted(accept),
      files: options.files ?? noFiles,
      secretKey,
      wakeDeliveries: () => {},
    },
    { sendsPerSecond: options.sendsPerSecond ?? 50 },
  )
  await ownership.start()
  let stopped: Promise<void> | null = null
  const stopAll = async () => {
    running.add(itsClock)
    await drive(lanes.stop())
    await drive(ownership.stop())
  }
  const stop = () => {
    stopped ??= stopAll()
    return stopped
  }
  const gateway = { lanes, ownership, observed, clock: itsClock, stop }
  gateways.push(gateway)
  return gateway
}

/** It stands still, beats no more, and its lease lapses: to the others it is dead. */
const die = async (gateway: Gateway) => {
  running.delete(gateway.clock)
  await sql(own.database, "update process set alive_until = clock_timestamp() - interval '1 second' where id = $1", [
    gateway.ownership.processId,
  ])
}

/** Lets time pass, a little each time something may have happened, until the expectation holds. */
const until = (expectation: () => void | Promise<void>, stepMs = 20) =>
  vi.waitFor(
    async () => {
      for (const each of running) each.advance(stepMs)
      await expectation()
    },
    { timeout: 20_000, interval: 2 },
  )

/** Lets time pass until it is done. */
async function drive<Value>(work: Promise<Value>): Promise<Value> {
  let done = false
  const ended = work.finally(() => {
    done = true
  })
  await until(() => expect(done).toBe(true), 100)
  return ended
}

/** Lets so much time pass, in steps between which ticks come to their end. */
async function pass(ms: number, stepMs = 1_000): Promise<void> {
  const endMs = clock.monotonicMs() + ms
  await until(() => expect(clock.monotonicMs()).toBeGreaterThanOrEqual(endMs), Math.min(stepMs, ms))
}

const accept202 = async (...sends: Send[]): Promise<Send[]> => {
  const wakeLanes = (lanes: Parameters<SendLanes['wake']>[0]) => {
    for (const each of gateways) each.lanes.wake(lanes)
  }
  const results = await sendMessages({ database: own.database, clock, wakeLanes }, sends)
  expect(results.every((each) => each.ok)).toBe(true)
  return sends
}
const sendTo = async (phone: string, more: Partial<Send> = {}): Promise<Send> => {
  const [sent] = await accept202(textTo(clock, stage, phone, more))
  if (sent === undefined) throw new Error('one was asked for')
  return sent
}

type Row = {
  status: string
  wamid: string | null
  error_code: number | null
  error_message: string | null
  outcome_unknown: boolean
  sent_at: Date | null
  failed_at: Date | null
}
const messageOf = async ({ id }: { id: Uuid }) => (await sql<Row>(own.database, 'select * from message where id = $1', [id]))[0]
const queueOf = async ({ id }: { id: Uuid }) =>
  (
    await sql<{ shard: number; state: number; attempt: number; not_before: Date | null }>(
      own.database,
      'select * from send_queue where message_id = $1',
      [id],
    )
  )[0]
const becomes = (send: Send, row: Partial<Row>, stepMs = 20) => until(async () => expect(await messageOf(send)).toMatchObject(row), stepMs)
const isQueuedAs = (send: Send, row: object) => until(async () => expect(await queueOf(send)).toMatchObject(row))
const eventsOf = async ({ id }: { id: Uuid }) => {
  const rows = await sql<{ type: string }>(
    own.database,
    "select type from event where position($1 in convert_from(body, 'UTF8')) > 0 order by id",
    [formatId('msg', id)],
  )
  return rows.map((row) => row.type)
}
const attemptsOf = ({ id }: { id: Uuid }) =>
  sql<{ n: number; outcome: string; code: number | null }>(
    own.database,
    'select n, outcome, code from send_attempt where message_id = $1 order by n',
    [id],
  )
const notice = (send: Send, status: 'sent' | 'delivered' | 'failed', attempt = 1) =>
  own.database.transaction((tx) =>
    applyStatuses(tx, clock, [
      {
        accountId: stage.accountId,
        channelId: stage.channelId,
        livemode: true,
        wamid: `wamid.late-${send.id}` as Wamid,
        status,
        at: clock.now(),
        opaque: opaqueId({ messageId: send.id, attempt }),
        pricing: null,
        error: null,
      },
    ]),
  )

describe('what upstream answers', () => {
  test('accepted: the message is sent with its wamid, told once, and leaves the queue', async () => {
    const live = scripted(accept)
    await startGateway(live)
    const send = await sendTo(ana)
    await becomes(send, { status: 'sent', wamid: `wamid.${formatId('msg', send.id)}.1`, error_message: null })
    expect(await queueOf(send)).toBeUndefined()
    expect(await eventsOf(send)).toEqual(['message.sent'])
    expect(await attemptsOf(send)).toEqual([{ n: 1, outcome: 'accepted', code: null }])
    expect(live.posts[0]?.send).toMatchObject({ recipient: ana, phoneNumberId: stage.phoneNumberId, attempt: 1, quotedWamid: null })
  })

  test('a wa_id that an answer teaches is the address of the next send', async () => {
    const live = scripted((send) => ({ ...accept(send), waId: '551187654321' }) as SendOutcome)
    await startGateway(live)
    await sql(own.database, 'update contact set wa_id = null where account_id = $1', [stage.accountId])
    const [one, two] = [await sendTo(ana), await sendTo('551187654321')]
    await becomes(two, { status: 'sent' })
    expect(live.posts.map((each) => each.send.recipient)).toEqual([ana, '551187654321'])
    expect(live.posts[0]?.send.messageId).toBe(one.id)
  })

  test('refused: the message is failed with its code and is not tried again', async () => {
    const live = scripted(() => refuse)
    await startGateway(live)
    const send = await sendTo(ana)
    await becomes(send, { status: 'failed', error_code: 131047, error_message: 'closed', sent_at: null })
    expect(await queueOf(send)).toBeUndefined()
    expect(await eventsOf(send)).toEqual(['message.failed'])
    await pass(5 * minuteMs, 10_000)
    expect(live.posts).toHaveLength(1)
  })

  test('not accepted for now: the number waits, and the same message goes again', async () => {
    const live = scripted(first(notAccepted('lane')))
    await startGateway(live)
    const [one, other] = await accept202(textTo(clock, stage, ana), textTo(clock, stage, ana))
    await becomes(other as Send, { status: 'sent' })
    expect(live.posts.map((each) => [each.send.messageId, each.send.attempt])).toEqual([
      [one?.id, 1],
      [one?.id, 2],
      [other?.id, 1],
    ])
    expect((live.posts[1]?.atMs ?? 0) - (live.posts[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(await attemptsOf(one as Send)).toEqual([
      { n: 1, outcome: 'not_accepted', code: 131016 },
      { n: 2, outcome: 'accepted', code: null },
    ])
    expect(await eventsOf(one as Send)).toEqual(['message.sent'])
  })

  test('too many to one person: that person waits at least 6 s, others do not', async () => {
    const live = scripted(first(notAccepted('person', 131056)))
    await startGateway(live)
    const held = await sendTo(ana)
    await isQueuedAs(held, { state: 0, attempt: 1, not_before: expect.any(Date) })
    const other = await sendTo(bia)
    await becomes(other, { status: 'sent' })
    await becomes(held, { status: 'sent' }, 100)
    expect((live.posts.at(-1)?.atMs ?? 0) - (live.posts[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(6_000)
  })

  test('the number is unusable: its channel is disconnected with the reason, and a new token lets it go on', async () => {
    const live = scripted(first({ ...notAccepted('channel', 190), message: 'token expired' } as SendOutcome))
    await startGateway(live)
    const send = await sendTo(ana)
    const channel = () =>
      sql<{ status: string; disconnected_because: string }>(own.database, 'select * from channel where id = $1', [stage.channelId])
    await until(async () => expect(await channel()).toMatchObject([{ status: 'disconnected', disconnected_because: 'token expired' }]))
    await pass(minuteMs)
    expect(live.posts).toHaveLength(1)
    expect(await queueOf(send)).toMatchObject({ state: 0 })
    await setChannelToken({ database: own.database, clock, graph: goodGraph, secretKey }, { channelId: stage.channelId, token: 'fresh' })
    await becomes(send, { status: 'sent' }, 100)
    expect(live.posts[1]?.send.token).toBe('fresh')
  })
})

describe('an unknown outcome', () => {
  test('is never sent again, holds its person back for a minute only, and is given up 2 minutes after the fifteen', async () => {
    const live = scripted(first(unknown))
    await startGateway(live)
    const acceptedMs = clock.monotonicMs()
    const [lost, next] = await accept202(textTo(clock, stage, ana), textTo(clock, stage, ana))
    await isQueuedAs(lost as Send, { state: 2 })
    expect(await messageOf(lost as Send)).toMatchObject({ status: 'queued', outcome_unknown: true })
    await becomes(next as Send, { status: 'sent' }, 500)
    expect((live.posts[1]?.atMs ?? 0) - (live.posts[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(minuteMs)

    await pass(acceptedMs + 17 * minuteMs - 10_000 - clock.monotonicMs(), 5_000)
    expect(await messageOf(lost as Send)).toMatchObject({ status: 'queued' })
    await becomes(lost as Send, { status: 'failed', error_code: null, error_message: unknownText, outcome_unknown: true }, 1_000)
    expect(clock.monotonicMs() - acceptedMs).toBeGreaterThanOrEqual(17 * minuteMs)
    expect(live.posts.filter((each) => each.send.messageId === lost?.id)).toHaveLength(1)

    await notice(lost as Send, 'delivered')
    expect(await messageOf(lost as Send)).toMatchObject({ status: 'delivered', error_message: null, failed_at: null })
    expect(await eventsOf(lost as Send)).toEqual(['message.failed', 'message.sent', 'message.delivered'])
  })

  test('frees its person as soon as a notice has settled it', async () => {
    const live = scripted(first(unknown))
    await startGateway(live)
    const [lost, next] = await accept202(textTo(clock, stage, ana), textTo(clock, stage, ana))
    await isQueuedAs(lost as Send, { state: 2 })
    await notice(lost as Send, 'sent')
    await becomes(next as Send, { status: 'sent' })
    expect((live.posts[1]?.atMs ?? 0) - (live.posts[0]?.atMs ?? 0)).toBeLessThan(minuteMs / 2)
  })

  test('is settled by a notice that echoes our id, dated by the intent', async () => {
    await startGateway(scripted(() => unknown))
    const send = await sendTo(ana)
    await isQueuedAs(send, { state: 2 })
    const [attempt] = await sql<{ started_at: Date }>(own.database, 'select started_at from send_attempt where message_id = $1', [send.id])
    await pass(5_000)
    await notice(send, 'sent')
    expect(await messageOf(send)).toMatchObject({ status: 'sent', wamid: `wamid.late-${send.id}`, sent_at: attempt?.started_at })
    expect(await queueOf(send)).toBeUndefined()
  })

  test('that a failed notice overtook leaves the queue at once', async () => {
    const answer = later()
    await startGateway(scripted(answer.script))
    const send = await sendTo(ana)
    await isQueuedAs(send, { state: 1 })
    await notice(send, 'failed')
    answer.answer(unknown)
    await until(async () => expect(await queueOf(send)).toBeUndefined())
    expect(await messageOf(send)).toMatchObject({ status: 'failed', sent_at: null, outcome_unknown: false })
    expect(await eventsOf(send)).toEqual(['message.failed'])
  })
})

describe('fifteen minutes', () => {
  test('are waited out by what cannot be sent, not a moment less, and then it is failed and never sent', async () => {
    const live = scripted(accept)
    const acceptedMs = clock.monotonicMs()
    const send = await sendTo(ana)
    await sql(own.database, "update channel set status = 'disconnected' where id = $1", [stage.channelId])
    await startGateway(live)
    await pass(15 * minuteMs - 5_000, 2_000)
    expect(await messageOf(send)).toMatchObject({ status: 'queued' })
    await becomes(send, { status: 'failed', error_code: null, error_message: expiredText }, 500)
    expect(clock.monotonicMs() - acceptedMs).toBeGreaterThanOrEqual(15 * minuteMs)
    expect(await queueOf(send)).toBeUndefined()
    expect(live.posts).toHaveLength(0)
  })

  test('hold for a suspended account too, whose sends go on when it is resumed', async () => {
    const live = scripted(accept)
    const send = await sendTo(ana)
    await suspendAccount({ database: own.database, clock }, stage.accountId)
    await startGateway(live)
    await pass(minuteMs)
    expect(live.posts).toHaveLength(0)
    await resumeAccount({ database: own.database }, stage.accountId)
    await becomes(send, { status: 'sent' }, 100)
  })
})

describe('order and pace', () => {
  test("one person's sends arrive in the order of acceptance, whatever each takes", async () => {
    const phones = [ana, bia, ...Array.from({ length: 4 }, (_, n) => `551198700000${n}`)]
    await people(own.database, clock, stage, phones)
    const arrived: UpstreamSend[] = []
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const live = scripted(async (send) => {
      await new Promise<void>((resolve) => clock.after(random() * 400, resolve))
      arrived.push(send)
      return random() < 0.1 ? notAccepted('pace', 130429) : accept(send)
    })
    await startGateway(live)
    const sends: Send[] = []
    for (let round = 0; round < 10; round += 1) sends.push(...(await accept202(...phones.map((phone) => textTo(clock, stage, phone)))))
    await until(async () => {
      const [row] = await sql<{ n: number }>(own.database, 'select count(*) as n from send_queue where account_id = $1', [stage.accountId])
      expect(row?.n).toBe(0)
    }, 50)
    for (const phone of phones) {
      const wanted = sends.filter((each) => each.recipient.kind === 'phone' && each.recipient.digits === phone).map((each) => each.id)
      const got = arrived.filter((each) => each.recipient === phone).map((each) => each.messageId)
      expect(got.filter((id, i) => got.indexOf(id) === i)).toEqual(wanted)
      // A repetition follows its own first try and nothing comes between.
      expect(got.every((id, i) => i === 0 || wanted.indexOf(id) >= wanted.indexOf(got[i - 1] as Uuid))).toBe(true)
    }
  })

  /** A notice names the two with one user id: they are one person. */
  const joinTwo = () =>
    own.database.transaction((tx) => {
      const both = { accountId: stage.accountId, livemode: true, userId: 'BR.1', name: null }
      const seen = [ana, bia].map((phone) => ({ ...both, waId: digits(phone) }))
      return meetPeople(tx, { clock, follow: followPeople }, seen)
    })

  // rule: queue 2
  test.each(['before they were read', 'while they wait in memory'])(
    'a person who turns out to have been two has one send under way, in the order of acceptance: %s',
    async (when) => {
      let underWay = 0
      let most = 0
      const live = scripted(async (send) => {
        underWay += 1
        most = Math.max(most, underWay)
        await new Promise<void>((resolve) => clock.after(50, resolve))
        underWay -= 1
        return accept(send)
      })
      const sends = await accept202(...[bia, ana, ana, bia, ana, bia].map((phone) => textTo(clock, stage, phone)))
      if (when === 'before they were read') await joinTwo()
      else await suspendAccount({ database: own.database, clock }, stage.accountId)
      const gateway = await startGateway(live)
      if (when === 'while they wait in memory') {
        await until(() => expect(gateway.lanes.depth().rows).toBeGreaterThan(0))
        await joinTwo()
        await resumeAccount({ database: own.database }, stage.accountId)
      }
      await becomes(present(sends.at(-1), 'accepted'), { status: 'sent' })
      expect(live.posts.map((each) => each.send.messageId)).toEqual(sends.map((each) => each.id))
      expect(most).toBe(1)
    },
  )

  test('a number is paced, and starts at half its pace', async () => {
    const phones = Array.from({ length: 120 }, (_, n) => `55119870${String(n).padStart(5, '0')}`)
    await people(own.database, clock, stage, phones)
    const live = scripted(accept)
    await accept202(...phones.map((phone) => textTo(clock, stage, phone)))
    await startGateway(live)
    await until(() => expect(live.posts).toHaveLength(120), 10)
    const starts = live.posts.map((each) => each.atMs)
    const within = (from: number) => starts.filter((at) => at >= from && at < from + 1_000).length
    // The pace itself is proven beside the pacer. Here the intents' commits, which take now less, now more time, blur it a little.
    expect(Math.max(...starts.map(within))).toBeLessThanOrEqual(55)
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(2_600)
    expect(within(starts[0] ?? 0)).toBeLessThanOrEqual(30)
  })

  test('numbers do not wait for each other', async () => {
    const other = await newStage(own.database, clock)
    await person(own.database, clock, other, ana)
    const live = scripted((send) => (send.channelId === stage.channelId ? notAccepted('lane') : accept(send)))
    await startGateway(live)
    await sendTo(ana)
    const [going] = await accept202(textTo(clock, other, ana))
    await becomes(going as Send, { status: 'sent' })
  })
})

describe('owners', () => {
  test('what a dead one had under way is unknown and not sent by the next; a late fact is still recorded', async () => {
    const answer = later()
    const dead = await startGateway(scripted(answer.script))
    const [flying, waiting] = await accept202(textTo(clock, stage, ana), textTo(clock, stage, bia))
    await isQueuedAs(flying as Send, { state: 1 })
    await isQueuedAs(waiting as Send, { state: 1 })
    const after = await sendTo(ana)
    await die(dead)
    const live = scripted(accept)
    await startGateway(live)
    await isQueuedAs(flying as Send, { state: 2 })
    await becomes(after, { status: 'sent' }, 500)
    expect(live.posts.map((each) => each.send.messageId)).toEqual([after.id])
    // It was only paused: what it knows is told in the end.
    answer.answer(accept({ messageId: flying?.id, attempt: 1 } as UpstreamSend))
    answer.answer(refuse)
    await becomes(flying as Send, { status: 'sent', outcome_unknown: false })
    await becomes(waiting as Send, { status: 'failed', error_code: 131047, outcome_unknown: false })
    expect(await queueOf(flying as Send)).toBeUndefined()
    expect(await eventsOf(flying as Send)).toEqual(['message.sent'])
  })

  test('what upstream did not accept after all is sent by the next owner, once', async () => {
    const answer = later()
    const dead = await startGateway(scripted(answer.script))
    const send = await sendTo(ana)
    await isQueuedAs(send, { state: 1 })
    await die(dead)
    const live = scripted(accept)
    await startGateway(live)
    await isQueuedAs(send, { state: 2 })
    answer.answer(notAccepted('none', null))
    await becomes(send, { status: 'sent', outcome_unknown: false }, 500)
    expect(live.posts.map((each) => each.send.attempt)).toEqual([2])
  })

  test('hand a shard over only when nothing is under way in it', async () => {
    const answer = later()
    const one = await startGateway(scripted(answer.script))
    const send = await sendTo(ana)
    await isQueuedAs(send, { state: 1 })
    const shard = (await queueOf(send))?.shard ?? -1
    const stopped = one.stop()
    const two = await startGateway(scripted(accept))
    await pass(5_000)
    // Others may have come over: two processes share them out.
    expect(two.ownership.owned().has(shard)).toBe(false)
    answer.answer(accept({ messageId: send.id, attempt: 1 } as UpstreamSend))
    await stopped
    await until(() => expect(two.ownership.owned().size).toBe(256), 500)
    expect(await messageOf(send)).toMatchObject({ status: 'sent', outcome_unknown: false })
  })
})

describe('stopping', () => {
  test('starts nothing more and waits until what is under way is recorded', async () => {
    const answer = later()
    const live = scripted(answer.script)
    const gateway = await startGateway(live)
    const flying = await sendTo(ana)
    await isQueuedAs(flying, { state: 1 })
    let stopped = false
    const stopping = gateway.lanes.stop().then(() => {
      stopped = true
    })
    const late = await sendTo(bia)
    await pass(3_000)
    expect(stopped).toBe(false)
    answer.answer(accept({ messageId: flying.id, attempt: 1 } as UpstreamSend))
    await drive(stopping)
    expect(await messageOf(flying)).toMatchObject({ status: 'sent' })
    expect(await queueOf(late)).toMatchObject({ state: 0, attempt: 0 })
    expect(live.posts).toHaveLength(1)
    expect(gateway.lanes.depth().inFlight).toBe(0)
  })
})

describe('a database that is away', () => {
  let lossy: LossyConnection
  let overLossy: Database

  beforeAll(async () => {
    lossy = await lossyConnection(own.connection)
    overLossy = openDatabase({ connection: lossy.connection, clock: systemClock(), observe: () => {}, connectionsMax: 4 })
  })
  afterAll(async () => {
    await overLossy.close()
    await lossy.close()
  })

  test('while an outcome is recorded loses nothing: the fact is kept and recorded when it is back, and nothing is sent twice', async () => {
    const live = scripted((send) => {
      lossy.cut()
      return accept(send)
    })
    const gateway = await startGateway(live, { database: overLossy })
    const send = await sendTo(ana)
    await until(() => expect(gateway.observed).toContainEqual({ kind: 'send.outcome_not_recorded', message: expect.any(String) }), 100)
    expect(await messageOf(send)).toMatchObject({ status: 'queued' })
    expect(await queueOf(send)).toMatchObject({ state: 1 })
    lossy.heal()
    await becomes(send, { status: 'sent' }, 100)
    expect(live.posts).toHaveLength(1)
    expect(await queueOf(send)).toBeUndefined()
  })

  // Found by the simulation, seed 4049.
  test('that did the commit of a takeover whose answer was lost still holds back the person of what was under way', async () => {
    const answer = later()
    const paused = await startGateway(scripted(answer.script))
    const flying = await sendTo(ana)
    await isQueuedAs(flying, { state: 1 })
    const behind = await sendTo(ana)
    await die(paused)
    const live = scripted(accept)
    lossy.loseCommitAnswers(1)
    await startGateway(live, { database: overLossy })
    await isQueuedAs(flying, { state: 2 })
    await pass(5_000, 100)
    expect(live.posts).toEqual([])
    answer.answer(notAccepted('none', null))
    await becomes(behind, { status: 'sent' }, 500)
    expect(live.posts.map((each) => each.send.messageId)).toEqual([flying.id, behind.id])
  })

  test('that did the commit of an outcome whose answer was lost tells one event', async () => {
    const live = scripted((send) => {
      lossy.loseCommitAnswers(1)
      return accept(send)
    })
    await startGateway(live, { database: overLossy })
    const send = await sendTo(ana)
    await becomes(send, { status: 'sent' })
    await sendTo(bia)
    await until(() => expect(live.posts).toHaveLength(2))
    expect(await eventsOf(send)).toEqual(['message.sent'])
    expect(await attemptsOf(send)).toHaveLength(1)
  })
})

/** Our files at upstream, which get there when the test says so. */
function filesByHand() {
  const there = new Map<string, string>()
  const waiting: { key: string; resolve: (outcome: UploadOutcome) => void }[] = []
  const files: UpstreamFiles = {
    known: async () => there,
    upload: (file) => new Promise((resolve) => waiting.push({ key: keyOfFile(file), resolve })),
  }
  return {
    files,
    asked: () => waiting.length,
    finish(outcome: UploadOutcome) {
      const one = waiting.shift()
      if (one !== undefined && outcome.kind === 'uploaded') there.set(one.key, 'upstream-1')
      one?.resolve(outcome)
    },
  }
}

// rule: send 10
describe('a send with a file of ours', () => {
  const shown = { url: 'https://pombo.example/files/x/nota.pdf', mime_type: 'application/pdf', file_name: 'nota.pdf', size_bytes: 5 }
  const withFile = (content: object = { document: { caption: 'Sua nota' } }): Partial<Send> => ({
    type: 'document',
    kind: 'document',
    content: JSON.stringify(content) as never,
    file: { kind: 'ours', mediaId: stage.channelId, media: JSON.stringify(shown) as never },
  })

  test('leaves once upstream has the file, by the id that upstream gave it and under its own name', async () => {
    const upstream = scripted(accept)
    const hand = filesByHand()
    await startGateway(upstream, { files: hand.files })
    const send = await sendTo(ana, withFile())
    await until(() => expect(hand.asked()).toBe(1))
    expect(await queueOf(send)).toMatchObject({ state: 0, attempt: 0 })
    hand.finish({ kind: 'uploaded' })
    await becomes(send, { status: 'sent' })
    expect(upstream.posts.map(({ send: { content } }) => JSON.parse(content))).toEqual([
      { document: { id: 'upstream-1', filename: 'nota.pdf', caption: 'Sua nota' } },
    ])
  })

  test('keeps the name that the caller gave', async () => {
    const upstream = scripted(accept)
    const hand = filesByHand()
    await startGateway(upstream, { files: hand.files })
    const send = await sendTo(ana, withFile({ document: { filename: 'Nota 7.pdf' } }))
    await until(() => expect(hand.asked()).toBe(1))
    hand.finish({ kind: 'uploaded' })
    await becomes(send, { status: 'sent' })
    expect(JSON.parse(upstream.posts[0]?.send.content ?? '')).toEqual({ document: { id: 'upstream-1', filename: 'Nota 7.pdf' } })
  })

  test('holds back its person, whose order is kept, and nobody else', async () => {
    const upstream = scripted(accept)
    const hand = filesByHand()
    await startGateway(upstream, { files: hand.files })
    const file = await sendTo(ana, withFile())
    const behind = await sendTo(ana)
    const other = await sendTo(bia)
    await becomes(other, { status: 'sent' })
    expect(await messageOf(behind)).toMatchObject({ status: 'queued' })
    hand.finish({ kind: 'uploaded' })
    await becomes(behind, { status: 'sent' })
    expect(upstream.posts.map(({ send }) => send.messageId)).toEqual([other.id, file.id, behind.id])
  })

  test('fails with the code of upstream, which does not want the file, and is never posted', async () => {
    const upstream = scripted(accept)
    const hand = filesByHand()
    await startGateway(upstream, { files: hand.files })
    const send = await sendTo(ana, withFile())
    await until(() => expect(hand.asked()).toBe(1))
    hand.finish({ kind: 'refused', code: 131053, message: 'not this file' })
    await becomes(send, { status: 'failed', error_code: 131053, error_message: 'not this file' })
    expect(await queueOf(send)).toBeUndefined()
    expect(await eventsOf(send)).toEqual(['message.failed'])
    expect(upstream.posts).toEqual([])
  })

  test('is tried again later when upstream cannot be reached, and expires after its 15 minutes like any other', async () => {
    const hand = filesByHand()
    await startGateway(scripted(accept), { files: hand.files })
    const send = await sendTo(ana, withFile())
    await until(() => expect(hand.asked()).toBe(1))
    hand.finish({ kind: 'not_now', code: null, message: 'ECONNREFUSED', channelIsDead: false })
    await pass(1_000, 100)
    expect(hand.asked()).toBe(0)
    await until(() => expect(hand.asked()).toBe(1), 500)
    hand.finish({ kind: 'not_now', code: null, message: 'ECONNREFUSED', channelIsDead: false })
    await pass(15 * minuteMs, 10_000)
    await becomes(send, { status: 'failed', error_code: null, error_message: expiredText })
  })

  test('marks the number as disconnected when its token died', async () => {
    const hand = filesByHand()
    await startGateway(scripted(accept), { files: hand.files })
    const send = await sendTo(ana, withFile())
    await until(() => expect(hand.asked()).toBe(1))
    hand.finish({ kind: 'not_now', code: 190, message: 'the token died', channelIsDead: true })
    await until(async () => {
      const [channel] = await sql<{ status: string }>(own.database, 'select status from channel where id = $1', [stage.channelId])
      expect(channel?.status).toBe('disconnected')
    })
    expect(await queueOf(send)).toMatchObject({ state: 0, attempt: 0 })
  })
})
