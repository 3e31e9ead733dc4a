import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../src/base/assert.ts'
import { formatId, newUuid, parseId, type Uuid } from '../../src/base/id.ts'
import type { Answer } from '../support/caller.ts'
import { type InboxServer, startInboxServer, type TestMember } from '../support/inbox-server.ts'
import { followed, newWamid, send, take, written } from '../support/inbox-stage.ts'
import { newStage, person, type Stage, sql } from '../support/stage.ts'

type Shown = Answer['body']

let server: InboxServer
let stage: Stage
let admin: TestMember
let agent: TestMember
let viewer: TestMember
let stranger: TestMember
let phone: string
let phones = 0

beforeAll(async () => {
  server = await startInboxServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  stage = await newStage(server.own.database, server.deps.clock)
  phones += 1
  phone = `55119${String(70_000_000 + phones)}`
  const member = (name: string, scopes: readonly string[] | null, accountId = stage.accountId): TestMember => {
    const one = { userId: newUuid(server.deps.clock.now()), accountId, scopes, name }
    server.addMember(one)
    return one
  }
  admin = member('Ana', null)
  agent = member('Bia', ['messages:send', 'messages:read', 'inbox:write'])
  viewer = member('Caio', ['messages:read'])
  stranger = member('Davi', null, newUuid(server.deps.clock.now()))
})

const write = (text: string, more: object = {}) => take(server.deps, { messages: [written(server.deps, stage, phone, { text, ...more })] })
const call = (...args: Parameters<InboxServer['call']>) => server.call(...args)
const conversation = async () => {
  await followed(server.deps)
  return present((await call(admin, 'GET', '/conversations?state=all')).body.data[0], 'there is one')
}
const usr = (member: TestMember) => formatId('usr', member.userId)

describe('conversations', () => {
  test('are listed newest first, page by page, whatever comes meanwhile', async () => {
    const own = phone
    for (let i = 0; i < 5; i += 1) {
      phone = `55118${String(70_000_000 + phones * 10 + i)}`
      await write(`Oi ${i}`)
    }
    await followed(server.deps)
    const first = await call(viewer, 'GET', '/conversations?limit=2')
    expect(first.body).toMatchObject({
      has_more: true,
      data: [{ unread: 1, state: 'open', last_message: { text: 'Oi 4', direction: 'inbound' } }, {}],
    })
    // One that was shown already moves up.
    await write('mais uma')
    await followed(server.deps)
    const rest = await call(viewer, 'GET', `/conversations?limit=5&starting_after=${first.body.next}`)
    expect(rest.body.data.map((each: Shown) => each.last_message.text)).toEqual(['Oi 2', 'Oi 1', 'Oi 0'])
    expect(rest.body).toMatchObject({ has_more: false, next: null })
    phone = own
  })

  test('are filtered by state, assignee, number, label and what is unread', async () => {
    await write('Oi')
    const { id, channel_id } = await conversation()
    const ids = async (query: string) => (await call(agent, 'GET', `/conversations?${query}`)).body.data.map((each: Shown) => each.id)
    const changed = await call(agent, 'PATCH', `/conversations/${id}`, { assignee: usr(agent), labels: ['vip', 'pedido', 'vip'] })
    expect(changed.body).toMatchObject({ assignee: { id: usr(agent), name: 'Bia' }, labels: ['vip', 'pedido'] })
    for (const query of [
      'state=open',
      'assignee=me',
      `assignee=${usr(agent)}`,
      'label=vip',
      'unread=true',
      `channel_id=${channel_id}`,
      'state=all',
    ])
      expect(await ids(query), query).toEqual([id])
    for (const query of [
      'state=closed',
      'state=snoozed',
      'assignee=none',
      `assignee=${usr(admin)}`,
      'label=vi',
      `channel_id=${formatId('ch', newUuid(new Date()))}`,
    ])
      expect(await ids(query), query).toEqual([])
    expect((await call(agent, 'GET', '/conversations/counts')).body).toEqual({ open: 1, mine: 1, unassigned: 0, unread: 1 })
    expect((await call(agent, 'GET', '/labels')).body.data).toEqual([
      { label: 'pedido', conversations: 1 },
      { label: 'vip', conversations: 1 },
    ])
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect((await call(agent, 'PATCH', `/conversations/${id}`, { snoozed_until: until })).body).toMatchObject({
      snoozed_until: until,
      state: 'open',
    })
    expect(await ids('state=snoozed')).toEqual([id])
    expect(await ids('state=open')).toEqual([])
    expect((await call(agent, 'PATCH', `/conversations/${id}`, { state: 'closed' })).body).toMatchObject({
      snoozed_until: null,
      state: 'closed',
    })
  })

  test('show the window, who wants no marketing, and of a long text the beginning', async () => {
    await write('x'.repeat(500))
    const shown = await conversation()
    expect(Date.parse(shown.window_expires_at)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    expect(shown).toMatchObject({ opted_out: false, contact: { phone, name: null } })
    expect(shown.last_message.text).toHaveLength(200)
  })

  test('refuse what makes no sense, and what belongs to others', async () => {
    await write('Oi')
    const { id } = await conversation()
    const past = new Date(Date.now() - 1_000).toISOString()
    const refusals: [object, string][] = [
      [{ assignee: usr(stranger) }, 'assignee'],
      [{ assignee: 'me' }, 'assignee'],
      [{ snoozed_until: past }, 'snoozed_until'],
      [{ snoozed_until: 'amanhã' }, 'snoozed_until'],
      [{ snoozed_until: new Date(Date.now() + 9_000).toISOString(), state: 'closed' }, 'snoozed_until'],
    ]
    for (const [body, field] of refusals) {
      const { status, body: answer } = await call(agent, 'PATCH', `/conversations/${id}`, body)
      expect({ status, field: answer.error.details[0].field }).toEqual({ status: 400, field })
    }
    for (const path of ['/conversations/cnv_1', `/conversations/${formatId('cnv', newUuid(new Date()))}`]) {
      expect((await call(agent, 'GET', path)).status).toBe(404)
      expect((await call(agent, 'GET', `${path}/messages`)).status).toBe(404)
      expect((await call(agent, 'GET', `${path}/notes`)).status).toBe(404)
      expect((await call(agent, 'POST', `${path}/read`)).status).toBe(404)
      expect((await call(agent, 'POST', `${path}/typing`)).status).toBe(404)
      expect((await call(agent, 'PATCH', path, { state: 'closed' })).status).toBe(404)
    }
    // In the other mode it is not there, and another account never sees it.
    expect((await call(agent, 'GET', `/conversations/${id}`, undefined, { 'pombo-mode': 'test' })).status).toBe(404)
    expect((await call(stranger, 'GET', `/conversations/${id}`)).status).toBe(404)
    expect((await call(stranger, 'GET', '/conversations?state=all')).body.data).toEqual([])
    for (const query of ['starting_after=x', 'assignee=x', 'channel_id=x'])
      expect((await call(agent, 'GET', `/conversations?${query}`)).status).toBe(400)
  })

  test('are changed by those who may work in the inbox', async () => {
    await write('Oi')
    const { id } = await conversation()
    expect((await call(viewer, 'PATCH', `/conversations/${id}`, { state: 'closed' })).status).toBe(403)
    expect((await call(viewer, 'POST', `/conversations/${id}/read`)).status).toBe(403)
  })

  // rule: inbox 2
  test('are looked for by a phone as people write it, and looking makes none', async () => {
    const lookFor = (to: string, channelId = formatId('ch', stage.channelId)) =>
      call(viewer, 'GET', `/conversations/with?channel_id=${channelId}&to=${encodeURIComponent(to)}`)
    const nobody = { phone: '5511966660000', name: null, is_known: false, conversation_id: null }
    expect((await lookFor('11 96666-0000')).body).toEqual(nobody)
    expect((await lookFor('+55 (11) 96666-0000')).body).toEqual(nobody)
    await followed(server.deps)
    expect((await call(admin, 'GET', '/conversations?state=all')).body.data).toEqual([])
    const [{ people } = { people: -1 }] = await sql<{ people: number }>(
      server.own.database,
      'select count(*)::int as people from contact where account_id = $1',
      [stage.accountId],
    )
    expect(people).toBe(0)
    await write('Oi')
    const { id } = await conversation()
    expect((await lookFor(phone.slice(2))).body).toEqual({ phone, name: null, is_known: true, conversation_id: id })
    for (const to of ['12', '20 98765-4321', '+1 198 765 4321']) {
      const { status, body } = await lookFor(to)
      expect([status, body.error.details[0].field]).toEqual([400, 'to'])
    }
    expect((await lookFor('11 96666-0000', formatId('ch', newUuid(new Date())))).status).toBe(404)
  })

  test('are read, which upstream is told once', async () => {
    await write('um')
    await write('dois')
    const { id } = await conversation()
    server.upstream.length = 0
    expect((await call(agent, 'POST', `/conversations/${id}/read`)).body).toEqual({ unread: 0, told: true })
    expect(server.upstream.map((each) => JSON.parse(each.body).status)).toEqual(['read'])
    expect((await call(agent, 'POST', `/conversations/${id}/read`)).body).toEqual({ unread: 0, told: false })
    expect(await conversation()).toMatchObject({ unread: 0 })
    expect((await call(agent, 'POST', `/conversations/${id}/typing`)).body).toEqual({ shown: true })
    expect((await call(agent, 'POST', `/conversations/${id}/typing`)).body).toEqual({ shown: false })
    expect(JSON.parse(server.upstream.at(-1)?.body ?? '')).toMatchObject({ typing_indicator: { type: 'text' } })
  })

  test('that were read before they were folded stay read', async () => {
    await write('um')
    const { id } = await conversation()
    await write('dois')
    await call(agent, 'POST', `/conversations/${id}/read`)
    expect(await conversation()).toMatchObject({ unread: 0 })
  })
})

describe('a thread', () => {
  test('has everything that was said, with who wrote it, reactions, quotes and edits', async () => {
    const wamid = newWamid()
    await write('Tem pão?', { wamid })
    const own = await call(
      agent,
      'POST',
      '/messages',
      { to: phone, type: 'text', text: { body: 'Tem!' }, reply_to: wamid },
      { 'idempotency-key': 'clique' },
    )
    expect(own.status).toBe(202)
    const { id } = await conversation()
    const act = { ...written(server.deps, stage, phone), by: 'person' as const, target: wamid, opensWindow: false }
    await take(server.deps, { acts: [{ ...act, act: { kind: 'edit', text: 'Tem pão francês?' } }] })
    const thread = (await call(viewer, 'GET', `/conversations/${id}/messages`)).body.data
    expect(thread).toHaveLength(2)
    expect(thread[0]).toMatchObject({
      text: 'Tem!',
      source: 'chat',
      author: { id: usr(agent), name: 'Bia' },
      kind: 'text',
      content: { text: { body: 'Tem!' } },
      file_state: null,
      reactions: [],
    })
    expect(thread[0].quoted).toEqual({ id: thread[1].id, direction: 'inbound', type: 'text', text: 'Tem pão francês?' })
    expect(thread[1]).toMatchObject({
      text: 'Tem pão francês?',
      author: null,
      content: null,
      edited_at: expect.any(String),
      deleted_at: null,
      outcome_unknown: false,
    })
    const reacted = await call(agent, 'POST', '/messages', {
      to: phone,
      type: 'reaction',
      reaction: { message_id: thread[1].id, emoji: '👍' },
    })
    expect(reacted.status).toBe(200)
    await take(server.deps, { acts: [{ ...act, wamid: newWamid(), act: { kind: 'reaction', emoji: '❤️' } }] })
    const again = (await call(viewer, 'GET', `/messages/by-id?ids=${thread[1].id}`)).body.data
    expect(again[0].reactions.map((each: Shown) => [each.emoji, each.by])).toEqual([
      ['❤️', 'contact'],
      ['👍', 'us'],
    ])
    await call(agent, 'POST', '/messages', { to: phone, type: 'reaction', reaction: { message_id: thread[1].id, emoji: '' } })
    expect((await call(viewer, 'GET', `/messages/by-id?ids=${thread[1].id}`)).body.data[0].reactions).toHaveLength(1)
    await take(server.deps, { acts: [{ ...act, wamid: newWamid(), act: { kind: 'deletion' } }] })
    expect((await call(viewer, 'GET', `/messages/by-id?ids=${thread[1].id}`)).body.data[0]).toMatchObject({
      text: null,
      deleted_at: expect.any(String),
    })
  })

  test('is read in pages to both sides', async () => {
    for (let i = 0; i < 7; i += 1) await write(String(i))
    const { id } = await conversation()
    const page = async (query: string) => {
      const { body } = await call(viewer, 'GET', `/conversations/${id}/messages?${query}`)
      return {
        texts: body.data.map((each: Shown) => each.text).join(''),
        ids: body.data.map((each: Shown) => each.id),
        more: body.has_more,
        newer: body.has_newer,
      }
    }
    const all = await page('limit=10')
    expect(all).toMatchObject({ texts: '6543210', more: false })
    expect(await page('limit=2')).toMatchObject({ texts: '65', more: true })
    expect(await page(`limit=2&before=${all.ids[1]}`)).toMatchObject({ texts: '43', more: true })
    expect(await page(`limit=2&after=${all.ids[3]}`)).toMatchObject({ texts: '54', more: true })
    expect(await page(`limit=3&around=${all.ids[3]}`)).toMatchObject({ texts: '432', more: true, newer: true })
    expect(await page(`limit=10&around=${all.ids[3]}`)).toMatchObject({ texts: '6543210', more: false, newer: false })
    for (const query of ['before=x', `before=${all.ids[0]}&after=${all.ids[0]}`])
      expect((await call(viewer, 'GET', `/conversations/${id}/messages?${query}`)).status).toBe(400)
    expect((await call(viewer, 'GET', '/messages/by-id?ids=x')).status).toBe(400)
    expect((await call(stranger, 'GET', `/messages/by-id?ids=${all.ids[0]}`)).body.data).toEqual([])
  })

  test('says of a file that it was given up, and lets it be fetched again', async () => {
    await write('foto')
    const { id } = await conversation()
    const [message] = (await call(viewer, 'GET', `/conversations/${id}/messages`)).body.data
    expect((await call(agent, 'POST', `/messages/${message.id}/file/retry`)).status).toBe(409)
    await sql(
      server.own.database,
      `insert into file_fetch (account_id, message_id, channel_id, livemode, shard, upstream_id, kind, tries, next_at, given_up, created_at)
      values ($1, $2, $3, true, 0, '1', 'image', 10, now(), true, now())`,
      [stage.accountId, parseId('msg', message.id), stage.channelId],
    )
    const state = async () => (await call(viewer, 'GET', `/messages/by-id?ids=${message.id}`)).body.data[0].file_state
    expect(await state()).toBe('failed')
    expect((await call(agent, 'POST', `/messages/${message.id}/file/retry`)).status).toBe(202)
    expect(await state()).toBe('fetching')
    expect((await call(agent, 'POST', '/messages/msg_1/file/retry')).status).toBe(404)
  })
})

describe('notes', () => {
  test('are written by the team, and deleted by their author or an admin', async () => {
    await write('Oi')
    const { id } = await conversation()
    const { body: note, status } = await call(agent, 'POST', `/conversations/${id}/notes`, { text: 'Cliente antigo' })
    expect(status).toBe(201)
    expect(note).toMatchObject({ author: { id: usr(agent), name: 'Bia' }, text: 'Cliente antigo' })
    expect((await call(viewer, 'GET', `/conversations/${id}/notes`)).body.data).toEqual([note])
    expect((await call(viewer, 'POST', `/conversations/${id}/notes`, { text: 'x' })).status).toBe(403)
    const other = { ...agent, userId: newUuid(new Date()) }
    server.addMember(other)
    expect((await call(other, 'DELETE', `/conversations/${id}/notes/${note.id}`)).status).toBe(403)
    expect((await call(admin, 'DELETE', `/conversations/${id}/notes/${note.id}`)).status).toBe(200)
    expect((await call(admin, 'DELETE', `/conversations/${id}/notes/${note.id}`)).status).toBe(404)
    expect((await call(stranger, 'GET', `/conversations/${id}/notes`)).status).toBe(404)
  })
})

describe('canned answers', () => {
  test('are kept by their shortcut', async () => {
    const made = await call(agent, 'POST', '/canned-answers', { shortcut: 'oi', text: 'Olá! Como posso ajudar?' })
    expect(made.status).toBe(201)
    expect((await call(agent, 'POST', '/canned-answers', { shortcut: 'oi', text: 'x' })).status).toBe(409)
    expect((await call(agent, 'POST', '/canned-answers', { shortcut: 'a b', text: 'x' })).status).toBe(400)
    const second = await call(agent, 'POST', '/canned-answers', { shortcut: 'fim', text: 'Até logo!' })
    expect((await call(agent, 'PATCH', `/canned-answers/${second.body.id}`, { shortcut: 'oi' })).status).toBe(409)
    expect((await call(agent, 'PATCH', `/canned-answers/${second.body.id}`, { text: 'Tchau!' })).body).toMatchObject({
      shortcut: 'fim',
      text: 'Tchau!',
    })
    expect((await call(viewer, 'GET', '/canned-answers')).body.data.map((each: Shown) => each.shortcut)).toEqual(['fim', 'oi'])
    expect((await call(viewer, 'DELETE', `/canned-answers/${second.body.id}`)).status).toBe(403)
    expect((await call(stranger, 'DELETE', `/canned-answers/${second.body.id}`)).status).toBe(404)
    expect((await call(stranger, 'PATCH', `/canned-answers/${second.body.id}`, { text: 'x' })).status).toBe(404)
    expect((await call(agent, 'DELETE', `/canned-answers/${second.body.id}`)).status).toBe(200)
  })
})

describe('the search', () => {
  test('finds messages and people whatever the accents, and nothing of other accounts', async () => {
    await write('A reunião é amanhã às 9h, não é?')
    await take(server.deps, {
      messages: [written(server.deps, stage, phone, { person: { ...written(server.deps, stage, phone).person, name: 'João Conceição' } })],
    })
    await followed(server.deps)
    const found = async (q: string, by = viewer) => (await call(by, 'GET', `/search?q=${encodeURIComponent(q)}`)).body
    expect((await found('reuniao')).messages).toMatchObject([
      { snippet: 'A reunião é amanhã às 9h, não é?', contact: { name: 'João Conceição' } },
    ])
    expect((await found('AMANHÃ AS')).messages).toHaveLength(1)
    expect((await found('re')).messages).toHaveLength(1)
    expect((await found('9h reuniao')).messages).toHaveLength(1)
    expect((await found('reuniao ontem')).messages).toEqual([])
    expect((await found('conceicao joão')).conversations).toMatchObject([{ contact: { phone } }])
    expect((await found('xq')).messages).toEqual([])
    expect((await found('100%')).messages).toEqual([])
    expect((await found('conceicao')).conversations).toMatchObject([{ contact: { phone } }])
    expect((await found(`(${phone.slice(2, 4)}) ${phone.slice(4, 9)}-${phone.slice(9)}`)).conversations).toHaveLength(1)
    expect(await found('reuniao', stranger)).toEqual({ conversations: [], messages: [] })
    expect((await call(viewer, 'GET', '/search?q=%20%20')).status).toBe(400)
  })
})

describe('sends of the API', () => {
  test('have no author and leave the inbox quiet', async () => {
    await person(server.own.database, server.deps.clock, stage, phone)
    const id: Uuid = await send(server.deps, stage, phone)
    const quiet = await conversation()
    expect(quiet).toMatchObject({ state: 'closed', unread: 0 })
    expect((await call(viewer, 'GET', '/conversations')).body.data).toEqual([])
    const [message] = (await call(viewer, 'GET', `/messages/by-id?ids=${formatId('msg', id)}`)).body.data
    expect(message).toMatchObject({ source: 'api', author: null, status: 'queued' })
  })
})
