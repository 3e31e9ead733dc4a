import { describe, expect, test } from 'vitest'
import { parseEmail } from '../../base/email.ts'
import { newUuid } from '../../base/id.ts'
import { type Role, roles } from './member.ts'
import { changeRoleRefusal, invitationRefusal, removalRefusal, scopesOf } from './rules.ts'

const [me, them] = [newUuid(new Date(0)), newUuid(new Date(1))]
const by = (actor: Role, target: Role, owners = 2) => ({
  actor: { userId: me, role: actor },
  target: { userId: them, role: target },
  owners,
})
const self = (role: Role, owners = 2) => ({ actor: { userId: me, role }, target: { userId: me, role }, owners })

describe('what a role may do', () => {
  test('owners and administrators everything, agents the inbox, viewers look', () => {
    expect([scopesOf('owner'), scopesOf('admin')]).toEqual([null, null])
    expect(scopesOf('agent')?.toSorted()).toEqual([
      'channels:read',
      'inbox:write',
      'media:write',
      'messages:read',
      'messages:send',
      'opt_outs:write',
      'templates:read',
      'usage:read',
    ])
    expect(scopesOf('viewer')?.toSorted()).toEqual(['channels:read', 'messages:read', 'templates:read', 'usage:read'])
  })
})

describe('a role is changed', () => {
  test('by owners in every way, as long as one owner is left', () => {
    for (const target of roles)
      for (const to of roles) expect([target, to, changeRoleRefusal(by('owner', target), to)]).toEqual([target, to, null])
    expect(changeRoleRefusal(by('owner', 'owner', 1), 'admin')?.code).toBe('conflict')
  })
  test('by administrators among all that are no owners', () => {
    for (const target of roles)
      for (const to of roles)
        expect([target, to, changeRoleRefusal(by('admin', target), to)?.code]).toEqual([
          target,
          to,
          target === 'owner' || to === 'owner' ? 'forbidden' : undefined,
        ])
  })
  test('by nobody else, and never one’s own', () => {
    for (const actor of ['agent', 'viewer'] as const) expect(changeRoleRefusal(by(actor, 'viewer'), 'agent')?.code).toBe('forbidden')
    for (const role of roles) expect(changeRoleRefusal(self(role), 'viewer')?.code).toBe('forbidden')
  })
})

describe('a member is taken out', () => {
  test('everybody goes themselves, but for the last owner', () => {
    for (const role of roles) expect(removalRefusal(self(role))).toBeNull()
    expect(removalRefusal(self('owner', 1))?.code).toBe('conflict')
  })
  test('owners by owners, others by administrators too, nobody by agents and viewers', () => {
    expect(removalRefusal(by('owner', 'owner'))).toBeNull()
    expect(removalRefusal(by('admin', 'owner'))?.code).toBe('forbidden')
    expect(removalRefusal(by('admin', 'admin'))).toBeNull()
    for (const actor of ['agent', 'viewer'] as const) expect(removalRefusal(by(actor, 'viewer'))?.code).toBe('forbidden')
  })
})

test('owners are invited by owners only, others by administrators too', () => {
  expect(invitationRefusal('owner', 'owner')).toBeNull()
  expect(invitationRefusal('admin', 'owner')?.code).toBe('forbidden')
  expect(invitationRefusal('admin', 'admin')).toBeNull()
  expect(invitationRefusal('agent', 'viewer')?.code).toBe('forbidden')
})

test.each([
  [' Ana@Example.COM ', 'ana@example.com'],
  ['a+b@mail.example.com.br', 'a+b@mail.example.com.br'],
  ['ana', null],
  ['ana@localhost', null],
  ['ana silva@example.com', null],
  ['ana@example.com, eva@example.com', null],
  ['"Ana" <ana@example.com>', null],
  [`${'a'.repeat(250)}@example.com`, null],
])('%j is the e-mail %j', (text, email) => {
  expect(parseEmail(text)).toBe(email)
})
