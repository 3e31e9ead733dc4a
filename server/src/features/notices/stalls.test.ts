import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { changeOf, type NoticeStage, newNoticeStage, noticeOf, textItem } from '../../../test/support/notice-stage.ts'
import { people, secretKey } from '../../../test/support/stage.ts'
import { newUuid } from '../../base/id.ts'
import { registerWebhook } from '../webhooks/public.ts'
import { insertNotices } from './store.ts'
import { createNoticeWork } from './work-batch.ts'

let own: TestDatabase
let n: NoticeStage

beforeAll(async () => {
  own = await testDatabase()
  n = await newNoticeStage(own.database)
})
afterAll(() => own.close())

const known = 2_000
const phoneOf = (i: number) => `55119${String(60_000_000 + (i % known))}`
let wamids = 0

/** So many notices of so many messages each, of known people. */
async function keep(notices: number, messagesEach: number): Promise<void> {
  const now = n.clock.now()
  const bodyOf = () => {
    const messages = Array.from({ length: messagesEach }, () => {
      wamids += 1
      return textItem(now, phoneOf(wamids), `wamid.stall.${wamids}`, 'Oi, tudo bem? 😀'.padEnd(200, 'x'))
    })
    const contacts = messages.map(({ from }) => ({ profile: { name: 'Maria' }, wa_id: from }))
    return Buffer.from(JSON.stringify(noticeOf(changeOf(n.stage.phoneNumberId, { contacts, messages }))))
  }
  const common = { livemode: true, accountId: null, dueAt: now, receivedAt: now }
  await insertNotices(
    own.database,
    Array.from({ length: notices }, () => ({ ...common, id: newUuid(now), body: bodyOf() })),
  )
}

const burnedMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1_000
}

/** Works everything through; `turnMs`: the longest that this thread computed without a turn of its event loop. */
async function workThrough(): Promise<{ turnMs: number; allMs: number }> {
  const began = process.threadCpuUsage()
  let last = process.threadCpuUsage()
  let turnMs = 0
  let isOver = false
  const look = () => {
    turnMs = Math.max(turnMs, burnedMs(last))
    last = process.threadCpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const work = createNoticeWork(
    { database: own.database, clock: n.clock, observe: () => {}, wakeDeliveries: () => {}, wakeFiles: () => {}, heard: () => {} },
    'live',
  )
  while ((await work.next(200)) > 0 || work.isUnderWay());
  isOver = true
  return { turnMs, allMs: burnedMs(began) }
}

test('a backlog of large notices of known people is worked through in short turns, at a cost that grows with its length', async () => {
  await people(
    own.database,
    n.clock,
    n.stage,
    Array.from({ length: known }, (_, i) => phoneOf(i)),
  )
  const policy = { allowPrivate: true, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
  const webhook = { accountId: n.stage.accountId, url: 'https://receiver.example/a', events: ['*' as const], description: null }
  const { clock } = n
  for (let i = 0; i < 5; i += 1) {
    const made = await registerWebhook({ database: own.database, clock, policy, secretKey }, webhook)
    expect(made.ok).toBe(true)
  }
  await keep(4, 100)
  await workThrough()
  await keep(10, 100)
  const once = await workThrough()
  await keep(20, 100)
  const twice = await workThrough()
  await keep(1, 2_000)
  const large = await workThrough()
  expect(await n.texts()).toHaveLength(400 + 1_000 + 2_000 + 2_000)
  expect(Math.max(once.turnMs, twice.turnMs)).toBeLessThan(100)
  expect(large.turnMs).toBeLessThan(200)
  expect(twice.allMs / once.allMs).toBeLessThan(2.6)
}, 90_000)
