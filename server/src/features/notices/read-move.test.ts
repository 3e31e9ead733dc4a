import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import { readMove } from './read-move.ts'

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
