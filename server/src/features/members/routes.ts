import { Type } from 'typebox'
import { parseEmail } from '../../base/email.ts'
import { formatId, momentOf, parseId, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { fetchPage, limit, listOf, startingAfter } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { changeRole, listMembers, removeMember } from './account-members.ts'
import { selectAuditLog } from './audit-store.ts'
import type { MembersDeps } from './deps.ts'
import { acceptInvitation, inviteMember, listInvitations, lookAtInvitation, revokeInvitation } from './invite.ts'
import { meRoutes } from './me-routes.ts'
import { askerOf, mayGoOn, setCookies, signInRoutes, signInTags } from './sign-in-routes.ts'
import { hashOfToken } from './token.ts'
import { findUser } from './user-store.ts'
import {
  acceptBody,
  auditEntryJson,
  auditEntrySchema,
  doneSchema,
  factsSchema,
  invitationJson,
  invitationLookSchema,
  invitationMadeSchema,
  invitationSchema,
  inviteBody,
  joinedSchema,
  linkRequestedSchema,
  lookBody,
  memberJson,
  memberSchema,
  meSchema,
  roleBody,
  sessionSchema,
  signedInSchema,
  twoFactorSchema,
  userSchema,
} from './wire.ts'

const tags = ['Members']
const done = { done: true as const }
const doneAnswer = component(doneSchema)
const changing = { access: { scope: 'members:write', testKeys: true } }
const reading = { access: { scope: null, testKeys: true } }

/** Who one is and how one signs in, under the console's interface and beside its accounts. */
export function peopleRoutes(app: HttpServer, deps: MembersDeps): void {
  for (const schema of [
    signedInSchema,
    linkRequestedSchema,
    factsSchema,
    doneSchema,
    userSchema,
    meSchema,
    sessionSchema,
    twoFactorSchema,
    invitationLookSchema,
    joinedSchema,
  ])
    app.addSchema(schema)
  signInRoutes(app, deps)
  landingRoutes(app, deps)
  meRoutes(app, deps)
}

/** Who belongs to an account, and what they did, under an account of the console. */
export function memberRoutes(account: HttpServer, deps: MembersDeps): void {
  for (const schema of [doneSchema, memberSchema, invitationSchema, invitationMadeSchema, auditEntrySchema]) account.addSchema(schema)
  membershipRoutes(account, deps)
  invitationRoutes(account, deps)
  auditRoute(account, deps)
}

function landingRoutes(app: HttpServer, deps: MembersDeps): void {
  const config = { access: 'anybody' as const }
  app.post(
    '/invitations/look',
    {
      config,
      schema: {
        operationId: 'lookAtInvitation',
        summary: 'What an invitation is for',
        tags: signInTags,
        body: lookBody,
        response: { 200: component(invitationLookSchema), ...errors(404) },
      },
    },
    async ({ body }, reply) => {
      const shown = await lookAtInvitation(deps, body.token)
      if (!shown.ok) return refuse(reply, shown.refusal)
      const { accountName, email, role, isKnown } = shown.value
      return { account_name: accountName, email, role, is_known: isKnown }
    },
  )
  app.post(
    '/invitations/accept',
    {
      config,
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Join an account',
        description: 'Somebody new gives a name and a password, and has then signed in. Somebody known must have signed in (401).',
        tags: signInTags,
        body: acceptBody,
        response: { 200: component(joinedSchema), ...errors(404) },
      },
    },
    async (request, reply) => {
      const { token, name = null, password = null } = request.body
      const attempt = await deps.attempts.takeProof(hashOfToken(token).toString('base64'), request)
      if (!mayGoOn(reply, attempt)) return reply as never
      const signedInAs = (await deps.readSession(request.headers))?.userId ?? null
      const accepted = await acceptInvitation(deps, askerOf(request), { token, name, password, signedInAs })
      if (!accepted.ok) return refuse(reply, accepted.refusal)
      attempt.giveBack()
      setCookies(reply, accepted.value.cookies)
      return { account_id: formatId('acc', accepted.value.accountId) }
    },
  )
}

const userParams = Type.Object({ user_id: Type.String() })

function membershipRoutes(account: HttpServer, deps: MembersDeps): void {
  account.get(
    '/members',
    {
      config: reading,
      schema: {
        operationId: 'listMembers',
        summary: 'Who belongs to the account',
        tags,
        response: { 200: listOf(component(memberSchema)), ...errors() },
      },
    },
    async ({ member }) => listed((await listMembers(deps.database, member.accountId)).map(memberJson)),
  )
  account.patch(
    '/members/:user_id',
    {
      config: changing,
      schema: {
        operationId: 'changeRole',
        summary: 'Change what a member may do',
        description: 'Only an owner makes or unmakes owners, and nobody changes their own role.',
        tags,
        params: userParams,
        body: roleBody,
        response: { 200: doneAnswer, ...errors(404, 'conflict') },
      },
    },
    async (request, reply) => {
      const { member, params, body } = request
      const userId = parseId('usr', params.user_id)
      if (userId === null) return refuse(reply, noMember)
      const asked = { accountId: member.accountId, actorId: member.userId, userId, role: body.role }
      const changed = await changeRole(deps, asked)
      tellDeed(request, { ...(await nameOf(deps, userId)), role: body.role })
      return answer(reply, doneOf(changed))
    },
  )
  account.delete(
    '/members/:user_id',
    {
      // Everybody may go themselves; who else may send somebody away, the operation says.
      config: reading,
      schema: {
        operationId: 'removeMember',
        summary: 'Take a member out of the account',
        description: 'Needs the right `members:write`, except for oneself. An account keeps at least one owner.',
        tags,
        params: userParams,
        response: { 200: doneAnswer, ...errors(404, 'conflict') },
      },
    },
    async (request, reply) => {
      const { member, params } = request
      const userId = parseId('usr', params.user_id)
      if (userId === null) return refuse(reply, noMember)
      const removed = await removeMember(deps, { accountId: member.accountId, actorId: member.userId, userId })
      tellDeed(request, await nameOf(deps, userId))
      return answer(reply, doneOf(removed))
    },
  )
}

/** By what a person is known now: they may be gone when it is read. */
async function nameOf({ database }: MembersDeps, userId: Uuid): Promise<{ name?: string; email?: string }> {
  const user = await findUser(database, userId)
  return user === null ? {} : { name: user.name, email: user.email }
}

const noMember = refusal('not_found', because('no_member', 'The account has no member with this id.'))

function invitationRoutes(account: HttpServer, deps: MembersDeps): void {
  account.get(
    '/invitations',
    {
      config: reading,
      schema: {
        operationId: 'listInvitations',
        summary: 'Invitations that can still be accepted',
        tags,
        response: { 200: listOf(component(invitationSchema)), ...errors() },
      },
    },
    async ({ member }) => listed((await listInvitations(deps, member.accountId)).map(invitationJson)),
  )
  account.post(
    '/invitations',
    {
      config: changing,
      schema: {
        operationId: 'createInvitation',
        summary: 'Invite somebody',
        description: 'Valid for 7 days, once. A newer invitation of the same address replaces an older one.',
        tags,
        body: inviteBody,
        response: { 201: component(invitationMadeSchema), ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const { member, body } = request
      tellDeed(request, { email: body.email.trim().toLowerCase(), role: body.role })
      const email = parseEmail(body.email)
      if (email === null) return refuse(reply, invalidField('email', because('email_wrong', 'This is not an e-mail address.')))
      const mail = deps.hasMail ? await deps.attempts.takeInvitationMail(email, member.accountId) : null
      if (mail !== null && !mail.window.admitted) return refuse(reply.header('retry-after', mail.window.resetSeconds), tooManyMails)
      const made = await inviteMember(deps, { accountId: member.accountId, actorId: member.userId, email, role: body.role })
      if (!made.ok) {
        mail?.giveBack()
        return refuse(reply, made.refusal)
      }
      reply.code(201)
      return { invitation: invitationJson(made.value.invitation), link: made.value.link, mailed: made.value.mailed }
    },
  )
  account.delete(
    '/invitations/:id',
    {
      config: changing,
      schema: {
        operationId: 'revokeInvitation',
        summary: 'Take an invitation back',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: doneAnswer, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { member, params } = request
      const id = parseId('inv', params.id)
      const revoked: Result<{ email: string; role: string }, Refusal> =
        id === null
          ? refused(refusal('not_found', because('no_invitation', 'The account has no open invitation with this id.')))
          : await revokeInvitation(deps, { accountId: member.accountId, id })
      if (revoked.ok) tellDeed(request, revoked.value)
      return answer(reply, doneOf(revoked))
    },
  )
}

const tooManyMails = refusal(
  'rate_limited',
  because(
    'too_many_mails',
    `Nobody was invited: an address gets at most ${limits.invitationMailsPerEmailMax} invitations an hour, and an account sends at most ${limits.invitationMailsPerAccountMax}. An invitation that was sent before is still valid.`,
    { max: limits.invitationMailsPerEmailMax },
  ),
)

const auditQuery = query({ limit, starting_after: startingAfter('aud') })

function auditRoute(account: HttpServer, { reads }: MembersDeps): void {
  account.get(
    '/audit-log',
    {
      config: { access: { scope: 'account:read', testKeys: true } },
      schema: {
        operationId: 'listAuditLog',
        summary: 'Who did what in the console',
        description: 'The newest first.',
        tags,
        querystring: auditQuery,
        response: { 200: listOf(component(auditEntrySchema)), ...errors() },
      },
    },
    async ({ member, query: asked }) => {
      const after: Uuid | null = asked.starting_after === undefined ? null : parseId('aud', asked.starting_after)
      return fetchPage(
        asked.limit,
        (count) => selectAuditLog(reads.of(member.accountId), { accountId: member.accountId, after, limit: count }),
        (entry) => auditEntryJson(entry, momentOf(entry.id)),
      )
    },
  )
}

function listed<Item>(data: Item[]) {
  return { object: 'list' as const, data, has_more: false }
}

const doneOf = (result: Result<unknown, Refusal>): Result<typeof done, Refusal> => (result.ok ? ok(done) : result)
