import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatId, newUuid } from '../../src/base/id.ts'
import type { TestAccount } from '../support/accounts.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { startMailReceiver } from '../support/mail-receiver.ts'
import { type ConsoleCaller, callWith, clockWithMinutes, cookiesOf, signedIn, tokenIn } from '../support/people-of-console.ts'
import { sql } from '../support/stage.ts'

const clock = clockWithMinutes()
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway({ clock })
})
afterAll(() => gateway.close())
beforeEach(async () => {
  clock.nextMinute()
  account = await gateway.account({ channels: 0 })
})

const member = (role: 'owner' | 'admin' | 'agent' | 'viewer') => signedIn(gateway, { accountId: account.uuid, role })
const pathOf = (person: ConsoleCaller) => `/members/${formatId('usr', person.userId)}`
const changeRole = (by: ConsoleCaller, of: ConsoleCaller, role: string) => by.onAccount('PATCH', pathOf(of), { body: { role } })
const remove = (by: ConsoleCaller, of: ConsoleCaller) => by.onAccount('DELETE', pathOf(of))
const rolesSeenBy = async (by: ConsoleCaller): Promise<string[]> =>
  (await by.onAccount('GET', '/members')).body.data.map((each: { role: string }) => each.role)
const invite = (by: ConsoleCaller, email: string, role = 'agent') => by.onAccount('POST', '/invitations', { body: { email, role } })
const look = (token: string) => callWith(gateway, '', 'POST', '/invitations/look', { body: { token } })
const accept = (body: object, cookie = '') => callWith(gateway, cookie, 'POST', '/invitations/accept', { body })
const newPerson = { name: 'Nova', password: 'uma senha bem longa' }
let emails = 0
const newEmail = () => {
  emails += 1
  return `convidada${emails}@example.com`
}

describe('members', () => {
  test('are seen by every member, in the order in which they came', async () => {
    const [owner, viewer] = [await member('owner'), await member('viewer')]
    const { status, body } = await viewer.onAccount('GET', '/members')
    expect([status, body.has_more, body.data.map((each: { email: string }) => each.email)]).toEqual([
      200,
      false,
      [owner.email, viewer.email],
    ])
    expect(body.data[0]).toMatchObject({ user_id: formatId('usr', owner.userId), object: 'member', role: 'owner', two_factor: false })
  })

  test('get another role by owners and administrators, which holds at their very next call', async () => {
    const [owner, admin, agent] = [await member('owner'), await member('admin'), await member('agent')]
    expect((await agent.onAccount('GET', '/audit-log')).status).toBe(403)
    expect((await changeRole(owner, agent, 'admin')).status).toBe(200)
    expect((await agent.onAccount('GET', '/audit-log')).status).toBe(200)
    expect((await changeRole(admin, agent, 'viewer')).status).toBe(200)
    expect((await agent.onAccount('GET', '/audit-log')).status).toBe(403)
    expect(await rolesSeenBy(owner)).toEqual(['owner', 'admin', 'viewer'])
  })

  test('become and cease to be owners by owners only, and nobody changes their own role', async () => {
    const [owner, admin, agent] = [await member('owner'), await member('admin'), await member('agent')]
    for (const [by, of, role] of [
      [admin, agent, 'owner'],
      [admin, owner, 'agent'],
      [admin, admin, 'owner'],
      [owner, owner, 'agent'],
      [agent, admin, 'viewer'],
    ] as const) {
      const refused = await changeRole(by, of, role)
      expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden'])
    }
    expect((await changeRole(owner, admin, 'owner')).status).toBe(200)
    expect((await changeRole(admin, owner, 'viewer')).status).toBe(200)
    expect(await rolesSeenBy(admin)).toEqual(['viewer', 'owner', 'agent'])
  })

  test('two owners that unmake each other at once leave one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const own = await gateway.account({ channels: 0 })
      const [one, two] = [await signedIn(gateway, { accountId: own.uuid }), await signedIn(gateway, { accountId: own.uuid })]
      const statuses = await Promise.all([changeRole(one, two, 'admin'), changeRole(two, one, 'admin'), remove(one, one), remove(two, two)])
      const owners = await sql(gateway.deps.database, `select 1 from member where account_id = $1 and role = 'owner'`, [own.uuid])
      expect([statuses.map((each) => each.status), owners.length]).toEqual([expect.anything(), 1])
    }
  })

  test('go themselves whatever their role, but for the last owner', async () => {
    const [owner, agent] = [await member('owner'), await member('agent')]
    const last = await remove(owner, owner)
    expect([last.status, last.body.error.code]).toEqual([409, 'conflict'])
    expect((await remove(agent, agent)).status).toBe(200)
    expect((await agent.onAccount('GET', '/members')).status).toBe(404)
    expect((await agent.call('GET', '/me')).body.accounts).toEqual([])
  })

  test('are taken out by owners and administrators; then the account is none of theirs at the next call', async () => {
    const [owner, admin, agent, viewer] = [await member('owner'), await member('admin'), await member('agent'), await member('viewer')]
    expect([(await remove(agent, viewer)).status, (await remove(admin, owner)).status]).toEqual([403, 403])
    expect((await remove(admin, viewer)).status).toBe(200)
    expect((await viewer.onAccount('GET', '/members')).status).toBe(404)
    expect((await remove(admin, viewer)).status).toBe(404)
  })

  test('of another account are not there', async () => {
    const owner = await member('owner')
    const other = await signedIn(gateway, { accountId: (await gateway.account({ channels: 0 })).uuid })
    for (const path of [pathOf(other), `/members/${formatId('usr', newUuid(new Date()))}`, '/members/x']) {
      expect((await owner.onAccount('PATCH', path, { body: { role: 'viewer' } })).status).toBe(404)
      expect((await owner.onAccount('DELETE', path)).status).toBe(404)
    }
    expect((await owner.onAccount('PATCH', pathOf(other), { body: { role: 'king' } })).status).toBe(400)
  })
})

describe('an invitation', () => {
  test('makes somebody new a member with a name and a password, and signs them in', async () => {
    const owner = await member('owner')
    const email = newEmail()
    const made = await invite(owner, email.toUpperCase(), 'viewer')
    expect([made.status, made.body.mailed]).toEqual([201, false])
    expect(made.body.invitation).toMatchObject({ object: 'invitation', email, role: 'viewer', invited_by: formatId('usr', owner.userId) })
    expect((await owner.onAccount('GET', '/invitations')).body.data).toEqual([made.body.invitation])
    const token = tokenIn(made.body.link)
    expect((await look(token)).body).toEqual({ account_name: 'Loja de Teste', email, role: 'viewer', is_known: false })
    for (const [body, field] of [
      [{ token }, 'name'],
      [{ token, name: 'Nova' }, 'password'],
    ] as const) {
      const refused = await accept(body)
      expect([refused.status, refused.body.error.details[0].field]).toEqual([400, field])
    }
    const accepted = await accept({ token, ...newPerson })
    expect([accepted.status, accepted.body]).toEqual([200, { account_id: formatId('acc', account.uuid) }])
    const me = (await callWith(gateway, cookiesOf(accepted), 'GET', '/me')).body
    expect(me).toMatchObject({ user: { email, name: 'Nova', has_password: true }, accounts: [{ role: 'viewer' }] })
    expect((await callWith(gateway, '', 'POST', '/sign-in', { body: { email, password: newPerson.password } })).status).toBe(200)
    expect((await owner.onAccount('GET', '/invitations')).body.data).toEqual([])
  })

  test('goes by mail where that is set up, and is then shown to nobody', async () => {
    const receiver = await startMailReceiver()
    const mailing = await startTestGateway({ settings: { SMTP_URL: receiver.url } })
    try {
      const { uuid } = await mailing.account({ channels: 0 })
      const owner = await signedIn(mailing, { accountId: uuid, name: 'Ana' })
      const inviteBy = (email: string) => owner.onAccount('POST', '/invitations', { body: { email, role: 'agent' } })
      expect((await inviteBy('nova@example.com')).body).toMatchObject({ mailed: true, link: null })
      const mail = await receiver.mails.until((each) => each.to === 'nova@example.com')
      expect(mail.subject).toBe('Convite para Loja de Teste no Pombo')
      expect(mail.text).toContain('Ana convida você para Loja de Teste como atendente.')
      const token = /invitation#(\S+)/.exec(mail.text)?.[1] ?? ''
      const accepted = await callWith(mailing, '', 'POST', '/invitations/accept', { body: { token, ...newPerson } })
      expect(accepted.status).toBe(200)
      // Nobody takes the mails any more: then the link is to be handed over.
      await receiver.close()
      const shown = await inviteBy('outra@example.com')
      expect([shown.status, shown.body.mailed, shown.body.link]).toEqual([201, false, expect.stringContaining('/invitation#')])
    } finally {
      await mailing.close()
    }
  })

  test('is good once, also of several at once', async () => {
    const made = await invite(await member('owner'), newEmail())
    const token = tokenIn(made.body.link)
    const answers = await Promise.all([1, 2, 3].map(() => accept({ token, ...newPerson })))
    expect(answers.filter((each) => each.status === 200)).toHaveLength(1)
    expect((await look(token)).status).toBe(404)
    clock.nextMinute()
    expect((await accept({ token, ...newPerson })).status).toBe(404)
  })

  test('is accepted by somebody known only when they have signed in with that address', async () => {
    const [owner, known] = [await member('owner'), await signedIn(gateway, { accountId: (await gateway.account({ channels: 0 })).uuid })]
    const token = tokenIn((await invite(owner, known.email)).body.link)
    expect((await look(token)).body.is_known).toBe(true)
    for (const cookie of ['', owner.cookie]) {
      const refused = await accept({ token, ...newPerson }, cookie)
      expect([refused.status, refused.body.error.code]).toEqual([401, 'unauthorized'])
    }
    const accepted = await accept({ token }, known.cookie)
    expect([accepted.status, cookiesOf(accepted)]).toEqual([200, ''])
    expect((await known.call('GET', '/me')).body.accounts).toHaveLength(2)
  })

  test('is worth nothing once it was taken back, replaced, or has expired', async () => {
    const owner = await member('owner')
    const email = newEmail()
    const first = (await invite(owner, email)).body
    const second = (await invite(owner, email, 'viewer')).body
    expect((await look(tokenIn(first.link))).status).toBe(404)
    expect((await look(tokenIn(second.link))).body.role).toBe('viewer')
    expect((await owner.onAccount('DELETE', `/invitations/${second.invitation.id}`)).status).toBe(200)
    expect((await owner.onAccount('DELETE', `/invitations/${second.invitation.id}`)).status).toBe(404)
    expect((await accept({ token: tokenIn(second.link), ...newPerson })).status).toBe(404)
    const third = (await invite(owner, email)).body
    await sql(
      gateway.deps.database,
      `update invitation set expires_at = now() - interval '1 second' where account_id = $1 and email = $2`,
      [account.uuid, email],
    )
    expect((await accept({ token: tokenIn(third.link), ...newPerson })).status).toBe(404)
    expect((await owner.onAccount('GET', '/invitations')).body.data).toEqual([])
    expect((await invite(owner, email)).status).toBe(201)
  })

  test('is taken back when who made it is taken out of the account, or goes', async () => {
    const [owner, admin, leaving] = [await member('owner'), await member('admin'), await member('admin')]
    const tokens: string[] = []
    for (const by of [admin, leaving, owner]) tokens.push(tokenIn((await invite(by, newEmail(), 'admin')).body.link))
    expect((await remove(owner, admin)).status).toBe(200)
    expect((await remove(leaving, leaving)).status).toBe(200)
    const answers = []
    for (const token of tokens) answers.push((await accept({ token, ...newPerson })).status)
    expect(answers).toEqual([404, 404, 200])
    expect((await owner.onAccount('GET', '/invitations')).body.data).toEqual([])
  })

  test('is taken back when who made it could make it no longer', async () => {
    const [owner, second, admin] = [await member('owner'), await member('owner'), await member('admin')]
    const tokens: string[] = []
    for (const [by, role] of [
      [second, 'owner'],
      [second, 'admin'],
      [admin, 'viewer'],
    ] as const)
      tokens.push(tokenIn((await invite(by, newEmail(), role)).body.link))
    expect([(await changeRole(owner, second, 'admin')).status, (await changeRole(owner, admin, 'agent')).status]).toEqual([200, 200])
    const answers = []
    for (const token of tokens) answers.push((await accept({ token, ...newPerson })).status)
    expect(answers).toEqual([404, 200, 404])
  })

  test('of somebody who came in without it leads them nowhere after they are taken out', async () => {
    const owner = await member('owner')
    const email = newEmail()
    const token = tokenIn((await invite(owner, email, 'admin')).body.link)
    const added = await signedIn(gateway, { accountId: account.uuid, role: 'admin', email })
    expect((await remove(owner, added)).status).toBe(200)
    expect((await accept({ token }, added.cookie)).status).toBe(404)
  })

  test('is made by owners and administrators, of owners by owners', async () => {
    const [owner, admin, agent] = [await member('owner'), await member('admin'), await member('agent')]
    expect((await invite(agent, newEmail())).status).toBe(403)
    expect((await invite(admin, newEmail(), 'admin')).status).toBe(201)
    expect((await invite(admin, newEmail(), 'owner')).status).toBe(403)
    expect((await invite(owner, newEmail(), 'owner')).status).toBe(201)
    const again = await invite(owner, agent.email)
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    const wrong = await invite(owner, 'not an address')
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'email'])
  })

  test('of another account cannot be taken back, nor seen', async () => {
    const owner = await member('owner')
    const made = (await invite(owner, newEmail())).body
    const other = await signedIn(gateway, { accountId: (await gateway.account({ channels: 0 })).uuid })
    expect((await other.onAccount('DELETE', `/invitations/${made.invitation.id}`)).status).toBe(404)
    expect((await other.onAccount('GET', '/invitations')).body.data).toEqual([])
    expect((await look(tokenIn(made.link))).status).toBe(200)
  })

  test('an account has a hundred open ones at most', async () => {
    const owner = await member('owner')
    await sql(
      gateway.deps.database,
      `insert into invitation (account_id, id, email, role, token_hash, created_at, expires_at)
      select $1::uuid, gen_random_uuid(), 'p' || i || '@example.com', 'agent', sha256(convert_to($1::text || i, 'UTF8')), now(), now() + interval '1 day'
      from generate_series(1, 100) i`,
      [account.uuid],
    )
    const refused = await invite(owner, newEmail())
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict'])
    expect((await invite(owner, 'p7@example.com')).status).toBe(201)
    expect((await owner.onAccount('GET', '/invitations')).body.data).toHaveLength(100)
  })
})

describe('sessions', () => {
  test('are listed with where they are, and never with what they are', async () => {
    const ana = await member('agent')
    const second = await signedIn(gateway, { accountId: account.uuid, email: ana.email })
    const { body } = await ana.call('GET', '/me/sessions')
    expect(body.data).toHaveLength(2)
    expect(body.data.filter((each: { is_current: boolean }) => each.is_current)).toHaveLength(1)
    expect(Object.keys(body.data[0]).toSorted()).toEqual(
      ['address', 'created_at', 'expires_at', 'id', 'is_current', 'last_seen_at', 'object', 'user_agent'].toSorted(),
    )
    const other = body.data.find((each: { is_current: boolean }) => !each.is_current).id
    const eva = await member('owner')
    expect((await eva.call('DELETE', `/me/sessions/${other}`)).status).toBe(404)
    expect((await second.call('GET', '/me')).status).toBe(200)
    expect((await ana.call('DELETE', `/me/sessions/${other}`)).status).toBe(200)
    expect((await second.call('GET', '/me')).status).toBe(401)
    expect((await ana.call('DELETE', '/me/sessions/x')).status).toBe(404)
  })

  test('are all ended but the one that asks', async () => {
    const ana = await member('agent')
    const others = [1, 2].map(() => signedIn(gateway, { accountId: account.uuid, email: ana.email }))
    const callers = await Promise.all(others)
    expect((await ana.call('POST', '/me/sessions/end-others')).status).toBe(200)
    for (const each of callers) expect((await each.call('GET', '/me')).status).toBe(401)
    expect((await ana.call('GET', '/me')).status).toBe(200)
  })
})

describe('a refusal', () => {
  test('tells the console by which reason it can word it, and callers of the API only the contract’s', async () => {
    const owner = await member('owner')
    const last = await remove(owner, owner)
    expect([last.status, last.body.error.reason]).toEqual([409, { code: 'last_owner', params: {} }])
    const wrong = await owner.onAccount('POST', '/canned-answers', { body: { shortcut: 'bom dia', text: 'x'.repeat(5_000) } })
    expect(wrong.body.error.details.map((each: { field: string; reason: object }) => [each.field, each.reason])).toEqual([
      ['shortcut', { code: 'one_word', params: {} }],
      ['text', { code: 'too_long', params: { max: 4096 } }],
    ])
    const lacks = await (await member('viewer')).onAccount('GET', '/webhooks')
    expect(lacks.body.error.reason).toEqual({ code: 'role_lacks', params: { scope: 'webhooks:write' } })
    const ofApi = await gateway.call('GET', '/v1/webhooks/whk_1', { key: account.live })
    expect(ofApi.status).toBe(404)
    expect(JSON.stringify(ofApi.body)).not.toContain('reason')
  })
})

describe('the audit log', () => {
  test('tells who did what, the newest first, in pages', async () => {
    const [owner, agent] = [await member('owner'), await member('agent')]
    await changeRole(owner, agent, 'viewer')
    const made = await invite(owner, newEmail())
    const accepted = await accept({ token: tokenIn(made.body.link), ...newPerson })
    await changeRole(owner, owner, 'viewer')
    await remove(agent, agent)
    const { body } = await owner.onAccount('GET', '/audit-log')
    const agentName = body.data[0].user.name
    const told = body.data.map((each: { operation: string; targets: object; user: { email: string } }) => [each.operation, each.targets])
    expect(told).toEqual([
      ['removeMember', { user_id: formatId('usr', agent.userId) }],
      ['acceptInvitation', { id: made.body.invitation.id }],
      ['createInvitation', {}],
      ['changeRole', { user_id: formatId('usr', agent.userId) }],
    ])
    expect(body.data[0]).toMatchObject({
      object: 'audit_entry',
      user: { id: formatId('usr', agent.userId), email: agent.email },
      address: '127.0.0.1',
    })
    expect(body.data[1].user.name).toBe('Nova')
    // rule: inbox 3
    expect(body.data.map((each: { about: object }) => each.about)).toEqual([
      { name: agentName, email: agent.email },
      { email: made.body.invitation.email, role: 'agent' },
      { email: made.body.invitation.email, role: 'agent' },
      { name: agentName, email: agent.email, role: 'viewer' },
    ])
    expect(accepted.status).toBe(200)

    const first = (await owner.onAccount('GET', '/audit-log', { query: { limit: 3 } })).body
    const rest = (await owner.onAccount('GET', '/audit-log', { query: { limit: 3, starting_after: first.data[2].id } })).body
    expect([first.has_more, rest.has_more, [...first.data, ...rest.data]]).toEqual([true, false, body.data])
  })

  test('of another account is not seen, and nothing is changed in it', async () => {
    const owner = await member('owner')
    await invite(owner, newEmail())
    const other = await signedIn(gateway, { accountId: (await gateway.account({ channels: 0 })).uuid })
    expect((await other.onAccount('GET', '/audit-log')).body.data).toEqual([])
    expect((await other.call('GET', `/accounts/${formatId('acc', account.uuid)}/audit-log`)).status).toBe(404)
  })
})
