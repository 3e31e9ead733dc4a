import { describe, expect, test } from 'vitest'
import { newUuid, type Uuid } from '../../base/id.ts'
import type { Conversation } from './conversation.ts'
import { foldMessages, joinConversations, type Said, searchPatterns, searchWords } from './rules.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 27, 12, 0, second))
const id = (second: number) => newUuid(at(second))
const account = id(0)
const fresh: Conversation = {
  accountId: account,
  id: id(0),
  livemode: true,
  channelId: id(0),
  contactId: id(0),
  lastMessageId: null,
  lastAt: at(0),
  lastInboundAt: null,
  unread: 0,
  readTo: null,
  state: 'closed',
  snoozedUntil: null,
  assignee: null,
  labels: [],
}
const said = (second: number, more: Partial<Said> = {}): Said => ({
  id: id(second),
  direction: 'inbound',
  source: 'chat',
  kind: 'text',
  untold: false,
  ...more,
})
const ofApi = { direction: 'outbound', source: 'api' } as const
const ofTeam = { direction: 'outbound', source: 'chat' } as const

describe('a conversation after messages', () => {
  test('has the newest, whatever order they come in', () => {
    const [first, second] = [said(1), said(2)]
    for (const order of [
      [first, second],
      [second, first],
    ])
      expect(foldMessages(fresh, order)).toMatchObject({ lastMessageId: second.id, lastAt: at(2), lastInboundAt: at(2) })
    const after = foldMessages(fresh, [second])
    expect(foldMessages(after, [first])).toMatchObject({ lastMessageId: second.id, lastInboundAt: at(2) })
  })

  test('is opened by the person, and wakes', () => {
    const asleep: Conversation = { ...fresh, state: 'open', snoozedUntil: at(9) }
    expect(foldMessages(fresh, [said(1)])).toMatchObject({ state: 'open' })
    expect(foldMessages(asleep, [said(1)])).toMatchObject({ state: 'open', snoozedUntil: null })
    expect(foldMessages(asleep, [said(1, ofTeam)])).toMatchObject({ state: 'open', snoozedUntil: at(9) })
  })

  test('stays as it is where the API sends, a history comes, or only a reaction is known', () => {
    for (const quiet of [ofApi, { untold: true }, { ...ofTeam, untold: true, kind: 'placeholder' }])
      expect(foldMessages(fresh, [said(1, quiet)])).toMatchObject({ state: 'closed', readTo: null, lastInboundAt: null })
  })

  test('is answered by the team, in the console or on the phone; only the former opens it', () => {
    const [inbound, answer] = [said(1), said(2, ofTeam)]
    expect(foldMessages(fresh, [inbound, answer])).toMatchObject({ readTo: answer.id, state: 'open' })
    expect(foldMessages(fresh, [answer])).toMatchObject({ readTo: answer.id, state: 'open' })
    expect(foldMessages(fresh, [{ ...answer, untold: true }])).toMatchObject({ readTo: answer.id, state: 'closed' })
    expect(foldMessages({ ...fresh, readTo: id(5) }, [answer]).readTo).not.toBe(answer.id)
  })

  test('is not opened by what is no news', () => {
    expect(foldMessages(fresh, [said(1)], () => false)).toMatchObject({ state: 'closed', lastInboundAt: at(1) })
  })
})

describe('conversations of people who turn out to be one', () => {
  const person = id(1)
  const one: Conversation = {
    ...fresh,
    id: id(2),
    contactId: person,
    lastMessageId: id(5),
    lastAt: at(5),
    readTo: id(5),
    labels: ['a', 'b'],
  }
  const two: Conversation = {
    ...fresh,
    id: id(3),
    contactId: id(4),
    lastMessageId: id(7),
    lastAt: at(7),
    lastInboundAt: at(7),
    unread: 2,
    readTo: id(4),
    state: 'open',
    assignee: id(9),
    labels: ['b', 'c'],
  }

  test('are one with the newest message, all labels, and nothing hidden that is unread', () => {
    expect(joinConversations(person, [two, one])).toEqual({
      ...one,
      lastMessageId: two.lastMessageId,
      lastAt: at(7),
      lastInboundAt: at(7),
      unread: 2,
      readTo: two.readTo,
      state: 'open',
      snoozedUntil: null,
      assignee: two.assignee,
      labels: ['a', 'b', 'c'],
    })
  })

  test('are the oldest where the person has none, and asleep only where all open ones are', () => {
    const stranger = id(8) as Uuid
    const asleep: Conversation = { ...two, snoozedUntil: at(30) }
    expect(joinConversations(stranger, [two, one])).toMatchObject({ id: one.id, contactId: stranger })
    expect(joinConversations(person, [asleep, one]).snoozedUntil).toEqual(at(30))
    expect(joinConversations(person, [asleep, { ...one, state: 'open' }]).snoozedUntil).toBe(null)
    expect(joinConversations(person, [{ ...two, readTo: null }, one]).readTo).toBe(null)
    expect(
      joinConversations(person, [
        { ...two, unread: 80 },
        { ...one, unread: 80 },
      ]).unread,
    ).toBe(100)
  })
})

describe('words', () => {
  test('are searched without accents, case and double spaces', () => {
    expect(searchWords('  Ação de\nGRAÇAS  ')).toBe(' acao de gracas')
    expect(searchWords(' \n ')).toBe('')
  })

  test('become a pattern in which nothing is special', () => {
    expect(searchPatterns('São_Paulo 100%')).toEqual(['%sao\\_paulo%', '%100\\%%'])
    expect(searchPatterns('login a aplicação login')).toEqual(['%aplicacao%', '%login%'])
    expect(searchPatterns('pé')).toEqual(['% pe%'])
    expect(searchPatterns(' x ')).toBe(null)
    expect(searchPatterns(Array.from({ length: 100 }, (_, i) => `word${i}`).join(' '))).toHaveLength(8)
  })
})
