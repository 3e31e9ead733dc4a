import { Type } from 'typebox'
import { formatId, parseId } from '../../base/id.ts'
import { because, refusal } from '../../base/refusal.ts'
import { ok, refused } from '../../base/result.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { listOf } from '../../platform/http/paging.ts'
import { component, errors, optionalBody } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import type { MembersDeps } from './deps.ts'
import { changeMe, changePassword, confirmTwoFactor, type Me, readMe, startTwoFactor, stopTwoFactor } from './me.ts'
import { scopesOf } from './rules.ts'
import { askerOf, mayGoOn, setCookies } from './sign-in-routes.ts'
import { listSessionsOf, removeOtherSessions, removeSession } from './user-store.ts'
import {
  codeBody,
  doneSchema,
  meSchema,
  passwordBody,
  sessionJson,
  sessionSchema,
  startTwoFactorBody,
  twoFactorSchema,
  updateMeBody,
  userJson,
} from './wire.ts'

const config = { access: 'signed_in' as const }
const tags = ['Me']
const done = { done: true as const }
const doneAnswer = component(doneSchema)

/** What a person sees and changes of themselves, whatever the account. */
export function meRoutes(app: HttpServer, deps: MembersDeps): void {
  profileRoutes(app, deps)
  sessionRoutes(app, deps)
  twoFactorRoutes(app, deps)
}

function profileRoutes(app: HttpServer, deps: MembersDeps): void {
  const { database, clock } = deps
  app.get(
    '/me',
    { config, schema: { operationId: 'getMe', summary: 'Who has signed in', tags, response: { 200: component(meSchema), ...errors() } } },
    async (request, reply) => {
      const [me, renewed] = await Promise.all([
        readMe(deps, request.person.userId),
        deps.auth().then((auth) => auth.renew(askerOf(request))),
      ])
      if (renewed.ok) setCookies(reply, renewed.cookies)
      return meJson(me)
    },
  )
  app.patch(
    '/me',
    {
      config,
      schema: {
        operationId: 'updateMe',
        summary: 'Change name or language',
        tags,
        body: updateMeBody,
        response: { 200: component(meSchema), ...errors() },
      },
    },
    async ({ person, body }) => {
      await changeMe({ database, clock }, { id: person.userId, name: body.name?.trim() ?? null, language: body.language ?? null })
      return meJson(await readMe(deps, person.userId))
    },
  )
  app.post(
    '/me/password',
    {
      config,
      schema: {
        operationId: 'changePassword',
        summary: 'Set a password',
        description: 'The current one must be given where there is one. All other sessions end.',
        tags,
        body: passwordBody,
        response: { 200: doneAnswer, ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const { person, body } = request
      const attempt = await deps.attempts.takeOfPerson(person.userId)
      if (!mayGoOn(reply, attempt)) return reply as never
      const { current_password: current = null, new_password: next } = body
      const changed = await changePassword(deps, askerOf(request), { person, current, next })
      if (changed.ok) attempt.giveBack()
      if (changed.ok) setCookies(reply, changed.value.cookies)
      return answer(reply, changed.ok ? ok(done) : changed)
    },
  )
}

function meJson({ user, accounts }: Me) {
  return {
    user: userJson(user),
    accounts: accounts.map(({ account, role }) => {
      const scopes = scopesOf(role)
      return {
        id: formatId('acc', account.id),
        name: account.name,
        role,
        scopes: scopes === null ? null : [...scopes],
        suspended: account.suspendedAt !== null,
      }
    }),
  }
}

function sessionRoutes(app: HttpServer, { database, clock }: MembersDeps): void {
  app.get(
    '/me/sessions',
    {
      config,
      schema: {
        operationId: 'listSessions',
        summary: 'Where one has signed in',
        tags,
        response: { 200: listOf(component(sessionSchema)), ...errors() },
      },
    },
    async ({ person }) => {
      const sessions = await listSessionsOf(database, person.userId, clock.now())
      return { object: 'list' as const, data: sessions.map((each) => sessionJson(each, person.sessionId)), has_more: false }
    },
  )
  app.delete(
    '/me/sessions/:id',
    {
      config,
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        tags,
        params: Type.Object({ id: Type.String() }),
        response: { 200: doneAnswer, ...errors(404) },
      },
    },
    async ({ person, params }, reply) => {
      const id = parseId('ses', params.id)
      const ended = id !== null && (await removeSession(database, person.userId, id))
      return answer(reply, ended ? ok(done) : refused(refusal('not_found', because('no_session', 'You have no session with this id.'))))
    },
  )
  app.post(
    '/me/sessions/end-others',
    {
      config,
      schema: { operationId: 'endOtherSessions', summary: 'End all other sessions', tags, response: { 200: doneAnswer, ...errors() } },
    },
    async ({ person }) => {
      await removeOtherSessions(database, person.userId, person.sessionId)
      return done
    },
  )
}

function twoFactorRoutes(app: HttpServer, deps: MembersDeps): void {
  app.post(
    '/me/two-factor',
    {
      config,
      schema: {
        operationId: 'startTwoFactor',
        summary: 'Set a second factor up',
        description: 'It counts once a first code is confirmed. Who has a password gives it.',
        tags,
        body: optionalBody(startTwoFactorBody),
        response: { 200: component(twoFactorSchema), ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const attempt = await deps.attempts.takeOfPerson(request.person.userId)
      if (!mayGoOn(reply, attempt)) return reply as never
      const started = await startTwoFactor(deps, askerOf(request), request.body?.password ?? null)
      if (!started.ok) return refuse(reply, started.refusal)
      attempt.giveBack()
      const { uri, secret, backupCodes } = started.value.value
      return { totp_uri: uri, secret, backup_codes: backupCodes }
    },
  )
  app.post(
    '/me/two-factor/confirm',
    {
      config,
      schema: {
        operationId: 'confirmTwoFactor',
        summary: 'Confirm the second factor with a first code',
        tags,
        body: codeBody,
        response: { 200: doneAnswer, ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const attempt = await deps.attempts.takeOfPerson(request.person.userId)
      if (!mayGoOn(reply, attempt)) return reply as never
      const confirmed = await confirmTwoFactor(deps, askerOf(request), request.body.code)
      if (confirmed.ok) attempt.giveBack()
      if (confirmed.ok) setCookies(reply, confirmed.value.cookies)
      return answer(reply, confirmed.ok ? ok(done) : confirmed)
    },
  )
  app.delete(
    '/me/two-factor',
    {
      config,
      schema: {
        operationId: 'stopTwoFactor',
        summary: 'Take the second factor away',
        description: 'With a code of the app, or a backup code.',
        tags,
        body: codeBody,
        response: { 200: doneAnswer, ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const { userId } = request.person
      const attempt = await deps.attempts.takeOfPerson(userId)
      if (!mayGoOn(reply, attempt)) return reply as never
      const stopped = await stopTwoFactor(deps, askerOf(request), { userId, code: request.body.code })
      if (stopped.ok) attempt.giveBack()
      if (stopped.ok) setCookies(reply, stopped.value.cookies)
      return answer(reply, stopped.ok ? ok(done) : stopped)
    },
  )
}
