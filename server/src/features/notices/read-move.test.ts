import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import { readMove, readUserIdUpdate } from './read-move.ts'

const item = (system: JsonObject, more: JsonObject = {}): JsonObject => ({
  from: '15550107712',
  id: 'wamid.1',
  timestamp: '1793000200',
  type: 'system',
  system,
  ...more,
})
const at = new Date(1_793_000_200_000)

// rule: people 5
describe('a system message', () => {
  test('tells of another number', () => {
    expect(readMove(item({ body: 'changed', wa_id: '15550107799', type: 'user_changed_number' }))).toEqual({
      at,
      before: { waId: '15550107712', userId: null, parentUserId: null },
      after: { waId: '15550107799', userId: null, parentUserId: null },
    })
  })

  test('tells of another user id, with all names before and after', () => {
    const system = {
      wa_id: '15550107799',
      user_id: 'US.9',
      parent_user_id: 'US.ENT.9',
      previous_user_id: 'US.4',
      previous_parent_user_id: 'US.ENT.4',
      type: 'user_changed_user_id',
    }
    expect(readMove(item(system, { from_user_id: 'US.4' }))).toEqual({
      at,
      before: { waId: '15550107712', userId: 'US.4', parentUserId: 'US.ENT.4' },
      after: { waId: '15550107799', userId: 'US.9', parentUserId: 'US.ENT.9' },
    })
  })

  test('names the user id before as its sender where it does not name it as the previous one', () => {
    const read = readMove(
      item({ user_id: 'US.9', type: 'user_changed_user_id' }, { from_user_id: 'US.4', from_parent_user_id: 'US.ENT.4' }),
    )
    expect(read).toMatchObject({ before: { userId: 'US.4', parentUserId: 'US.ENT.4' }, after: { waId: null, userId: 'US.9' } })
  })

  test.each<[what: string, system: JsonObject, more?: JsonObject]>([
    ['a text', { wa_id: '15550107799', type: 'user_changed_number' }],
    ['a number', { wa_id: 15550107799, type: 'user_changed_number' }],
    ['a number, beside an old one that is one', { wa_id: 15550107799, type: 'user_changed_number' }, { from: 15550107712 }],
    ['a number in the older place', { new_wa_id: 15550107799, type: 'customer_changed_number' }],
    ['a number in the newer place of the older kind', { wa_id: 15550107799, type: 'customer_changed_number' }, { from: 15550107712 }],
    [
      'a text, where only the system message names the old one',
      { wa_id: '15550107799', customer: 15550107712, type: 'customer_changed_number' },
      { from: null },
    ],
    ['a number, of one whose user id changes too', { wa_id: 15550107799, user_id: 'US.9', type: 'user_changed_user_id' }],
  ])('names the new number as %s', (_what, system, more) => {
    expect(readMove(item(system, more))).toMatchObject({ at, before: { waId: '15550107712' }, after: { waId: '15550107799' } })
  })

  // rule: receive 17
  test('without a time is of the moment of receipt', () => {
    const told = item({ wa_id: '15550107799', type: 'user_changed_number' }, { timestamp: null })
    expect(readMove(told, at)?.at).toBe(at)
    expect(readUserIdUpdate({ user_id: { previous: 'US.1', current: 'US.2' } }, at)?.at).toBe(at)
  })

  test('of older versions names the new number in a place of its own', () => {
    const read = readMove(item({ wa_id: '15550107712', new_wa_id: '15550107799', type: 'customer_changed_number' }))
    expect(read?.after.waId).toBe('15550107799')
  })

  test.each<[what: string, item: JsonObject]>([
    ['of a changed identity', item({ wa_id: '15550107712', type: 'user_identity_changed' })],
    ['that says nothing of what is new', item({ type: 'user_changed_number' })],
    ['whose new number is none', item({ wa_id: 'soon', type: 'user_changed_number' })],
    ['without a time', item({ wa_id: '15550107799', type: 'user_changed_number' }, { timestamp: 'now' })],
    ['without a part of its own', { ...item({}), system: 'changed' }],
  ])('%s tells of no move', (_what, told) => {
    expect(readMove(told)).toBeNull()
  })

  test('is not what another kind is', () => {
    expect(readMove(item({ wa_id: '15550107799', type: 'user_changed_number' }, { type: 'text' }))).toBeNull()
  })
})

// rule: people 5
describe('an update of a user id', () => {
  const update = {
    wa_id: '16505551234',
    user_id: { previous: 'US.1', current: 'US.2' },
    parent_user_id: { previous: 'US.ENT.1', current: 'US.ENT.2' },
    timestamp: '1793000200',
  }

  test('names both ids; its phone, of before or after, is passed over', () => {
    expect(readUserIdUpdate(update)).toEqual({
      at,
      before: { waId: null, userId: 'US.1', parentUserId: 'US.ENT.1' },
      after: { waId: null, userId: 'US.2', parentUserId: 'US.ENT.2' },
    })
  })

  test.each<[what: string, update: JsonObject]>([
    ['without the id before', { ...update, user_id: { current: 'US.2' } }],
    ['without the id after', { ...update, user_id: { previous: 'US.1' } }],
    ['with an id that is no object', { ...update, user_id: 'US.2' }],
    ['without a time', { ...update, timestamp: null }],
  ])('%s cannot be read', (_what, told) => {
    expect(readUserIdUpdate(told)).toBeNull()
  })
})
