import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type InboxServer, startInboxServer, type TestMember } from '../../../test/support/inbox-server.ts'
import { followed, take, written } from '../../../test/support/inbox-stage.ts'
import { newStage, type Stage, sql } from '../../../test/support/stage.ts'
import { formatId, lowestUuidAt, newUuid, type Uuid } from '../../base/id.ts'
import { formatPlace } from './place.ts'

let server: InboxServer
let stage: Stage
let member: TestMember
let phones = 0
beforeAll(async () => {
  server = await startInboxServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  stage = await newStage(server.own.database, server.deps.clock)
  member = { userId: newUuid(new Date()), accountId: stage.accountId, scopes: ['messages:read', 'inbox:write'], name: 'Ana' }
  server.addMember(member)
})

type Heard = { event: string; id: string; data: { messages: string[]; conversations: string[] } }

/** A browser that listens, and may be cut off. */
async function listen(on: InboxServer, by: TestMember, after: string | null = null, query = '') {
  const gone = new AbortController()
  const path = `/console/api/accounts/${formatId('acc', by.accountId)}/live?${after === null ? '' : `after=${after}`}${query}`
  const answer = await fetch(`${on.url}${path}`, { headers: { cookie: `test=${by.userId}` }, signal: gone.signal })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next = async (): Promise<Heard | null> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true }
        if (done) return null
        text += value
        continue
      }
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
      )
      text = text.slice(end + 2)
      if (fields.data !== undefined) return { event: fields.event ?? '', id: fields.id ?? '', data: JSON.parse(fields.data) }
    }
  }
  return { status: answer.status, headers: answer.headers, next, cut: () => gone.abort() }
}

const newPhone = () => `55119${String(60_000_000 + ++phones)}`
const write = (phone = newPhone(), of = stage) => take(server.deps, { messages: [written(server.deps, of, phone)] })
const messagesOf = async (accountId: Uuid) =>
  (await sql<{ id: Uuid }>(server.own.database, 'select id from message where account_id = $1 order by id', [accountId])).map((row) =>
    formatId('msg', row.id),
  )

describe('a stream', () => {
  test('begins with where it is, and tells of messages and their conversations once both can be fetched', async () => {
    const stream = await listen(server, member)
    expect(stream.status).toBe(200)
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(await stream.next()).toMatchObject({ event: 'ready', data: {} })
    await write()
    await followed(server.deps)
    const told = await stream.next()
    expect(told).toMatchObject({ event: 'change', data: { messages: await messagesOf(stage.accountId) } })
    const { body } = await server.call(member, 'GET', '/conversations')
    expect(told?.data.conversations).toEqual([body.data[0].id])
    const patched = await server.call(member, 'PATCH', `/conversations/${body.data[0].id}`, { labels: ['vip'] })
    expect(patched.status).toBe(200)
    await followed(server.deps)
    expect(await stream.next()).toMatchObject({ event: 'change', data: { messages: [], conversations: [body.data[0].id] } })
    stream.cut()
  })

  test('tells nothing of other accounts and of the other mode', async () => {
    const stream = await listen(server, member)
    await stream.next()
    const other = await newStage(server.own.database, server.deps.clock)
    await write(newPhone(), other)
    const phone = newPhone()
    const notice = written(server.deps, stage, phone)
    await take(server.deps, { messages: [{ ...notice, livemode: false, person: { ...notice.person, livemode: false } }] })
    await write()
    await followed(server.deps)
    const told = await stream.next()
    expect(told?.data.messages).toHaveLength(1)
    expect(told?.data.messages).toEqual((await messagesOf(stage.accountId)).slice(-1))
    const inTest = await listen(server, member, null, '&mode=test')
    await inTest.next()
    stream.cut()
    inTest.cut()
    const foreign = await fetch(`${server.url}/console/api/accounts/${formatId('acc', other.accountId)}/live`, {
      headers: { cookie: `test=${member.userId}` },
    })
    expect(foreign.status).toBe(404)
  })

  test('misses nothing over lost connections and another server, with transactions that commit in any order', async () => {
    const first = await listen(server, member)
    const heard = new Set<string>()
    let place = (await first.next())?.id ?? ''
    const numbers = await Promise.all(Array.from({ length: 4 }, () => stage.addNumber()))
    let working = true
    const following = (async () => {
      while (working) await followed(server.deps)
    })()
    // Each holds its transaction open for another while, so that they commit in another order than they began in.
    const writers = Array.from({ length: 4 }, async (_, n) => {
      const of = { ...stage, ...(numbers[n] ?? stage) }
      for (let i = 0; i < 10; i += 1) {
        await server.own.database.transaction(async (tx) => {
          await take(server.deps, { messages: [written(server.deps, of, newPhone())] }, tx)
          await new Promise((resolve) => setTimeout(resolve, ((n * 7 + i * 5) % 11) * 4))
        })
      }
    })
    first.cut()
    const second = await server.another()
    for (let n = 0; heard.size < 40; n += 1) {
      const stream = await listen(n % 2 === 0 ? second : server, member, place)
      const event = await stream.next()
      expect(event?.event).toBe('change')
      for (const id of event?.data.messages ?? []) heard.add(id)
      place = event?.id ?? place
      stream.cut()
    }
    await Promise.all(writers)
    working = false
    await following
    expect([...heard].toSorted()).toEqual((await messagesOf(stage.accountId)).toSorted())
    await second.close()
  })

  test('says that all is to be fetched anew where its place is old, of another database, or none', async () => {
    const old = formatPlace({ xid: '1', id: lowestUuidAt(new Date(Date.now() - 25 * 3_600_000)) })
    const ahead = formatPlace({ xid: '999999999999', id: lowestUuidAt(new Date()) })
    for (const after of [old, ahead, 'x', '-1-2']) {
      const stream = await listen(server, member, after)
      const event = await stream.next()
      expect(event?.event).toBe('reset')
      stream.cut()
      // It goes on from now.
      const again = await listen(server, member, event?.id ?? '')
      await write()
      await followed(server.deps)
      expect(await again.next()).toMatchObject({ event: 'change' })
      again.cut()
    }
  })

  test('says so too where more has happened than is worth telling one by one', async () => {
    const stream = await listen(server, member)
    await stream.next()
    const phone = newPhone()
    await take(server.deps, { messages: Array.from({ length: 201 }, () => written(server.deps, stage, phone)) })
    await followed(server.deps)
    expect((await stream.next())?.event).toBe('reset')
    stream.cut()
  })

  test('ends by itself within moments for who has left the account, and not for the others', async () => {
    const leaver = { ...member, userId: newUuid(new Date()), name: 'Bia' }
    server.addMember(leaver)
    const [stays, goes] = [await listen(server, member), await listen(server, leaver)]
    await Promise.all([stays.next(), goes.next()])
    server.removeMember(leaver)
    expect(await goes.next()).toBeNull()
    expect((await listen(server, leaver)).status).toBe(401)
    await write()
    await followed(server.deps)
    expect(await stays.next()).toMatchObject({ event: 'change' })
    stays.cut()
  })

  test('is one of eight of a person at most', async () => {
    const streams = await Promise.all(Array.from({ length: 8 }, () => listen(server, member)))
    expect((await listen(server, member)).status).toBe(429)
    streams[0]?.cut()
    for (let status = 429; status === 429; ) {
      const again = await listen(server, member)
      status = again.status
      if (status === 200) streams.push(again)
    }
    for (const each of streams) each.cut()
  })

  test('is one of 200 of an account at most, which leaves those of others in peace', async () => {
    const team = Array.from({ length: 26 }, (_, i): TestMember => ({ ...member, userId: newUuid(new Date()), name: `Pessoa ${i}` }))
    for (const each of team) server.addMember(each)
    const heard = []
    for (const each of team.slice(0, 25)) heard.push(...(await Promise.all(Array.from({ length: 8 }, () => listen(server, each)))))
    expect(heard.map(({ status }) => status)).toEqual(Array.from({ length: 200 }, () => 200))
    expect((await listen(server, team[25] as TestMember)).status).toBe(429)
    const other = await newStage(server.own.database, server.deps.clock)
    const stranger = { ...member, userId: newUuid(new Date()), accountId: other.accountId }
    server.addMember(stranger)
    const theirs = await listen(server, stranger)
    expect(theirs.status).toBe(200)
    for (const each of [...heard, theirs]) each.cut()
  })

  test('ends when the server closes, which waits for none', async () => {
    const own = await server.another()
    const stream = await listen(own, member)
    await stream.next()
    const beganMs = performance.now()
    await own.close()
    expect(await stream.next()).toBe(null)
    expect(performance.now() - beganMs).toBeLessThan(3_000)
  })
})
