import type { FastifyReply } from 'fastify'
import { parseEmail } from '../../base/email.ts'
import { because, refusal } from '../../base/refusal.ts'
import { tellLimits, tooMany } from '../../platform/http/admission.ts'
import { type AnyReply, answer, refuse } from '../../platform/http/answer.ts'
import type { Attempt } from '../../platform/http/attempts.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import type { Asker } from './auth.ts'
import type { MembersDeps } from './deps.ts'
import { openLink, requestLink } from './link.ts'
import { refusalOfCode } from './refusals.ts'
import { hashOfToken } from './token.ts'
import {
  doneSchema,
  factsSchema,
  linkRequestedSchema,
  openLinkBody,
  requestLinkBody,
  secondFactorBody,
  signedInSchema,
  signInBody,
} from './wire.ts'

export const signInTags = ['Sign-in']
const config = { access: 'anybody' as const }
const signedIn = component(signedInSchema)

/** How one becomes somebody. Open to anybody, and each attempt that fails is counted: of the person, and of the network address. */
export function signInRoutes(app: HttpServer, deps: MembersDeps): void {
  passwordRoutes(app, deps)
  linkRoutes(app, deps)
  app.get(
    '/facts',
    {
      config,
      schema: {
        operationId: 'getFacts',
        summary: 'What this installation can do',
        tags: signInTags,
        response: { 200: component(factsSchema), ...errors() },
      },
    },
    async () => ({ mail: deps.hasMail }),
  )
}

function passwordRoutes(app: HttpServer, deps: MembersDeps): void {
  app.post(
    '/sign-in',
    {
      config,
      schema: {
        operationId: 'signIn',
        summary: 'Sign in with e-mail and password',
        description: 'The same answer, after the same time, for an unknown address and a wrong password.',
        tags: signInTags,
        body: signInBody,
        response: { 200: signedIn, ...errors() },
      },
    },
    async (request, reply) => {
      const { password } = request.body
      const email = parseEmail(request.body.email)
      if (email === null) return refuse(reply, wrongSignIn)
      const device = deps.devices.deviceOf(request.headers.cookie, email)
      const attempt = await deps.attempts.takePassword({ email, from: request, device })
      if (!mayGoOn(reply, attempt)) return reply as never
      const told = await (await deps.auth()).signIn(askerOf(request, device), { email, password })
      if (!told.ok) return refuse(reply, wrongSignIn)
      attempt.giveBack()
      setCookies(reply, [...told.cookies, deps.devices.cookieOf(email)])
      return { second_factor: told.value.secondFactor }
    },
  )
  app.post(
    '/sign-in/second-factor',
    {
      config,
      schema: {
        operationId: 'signInSecondFactor',
        summary: 'Complete a sign-in with a code',
        tags: signInTags,
        body: secondFactorBody,
        response: { 200: signedIn, ...errors() },
      },
    },
    async (request, reply) => {
      const asker = askerOf(request)
      const attempt = await deps.attempts.takeProof(hashOfToken(asker.cookie).toString('base64'), request)
      if (!mayGoOn(reply, attempt)) return reply as never
      const { code, is_backup: isBackup = false, trust_device: trustDevice = false } = request.body
      const told = await (await deps.auth()).giveSecondFactor(asker, { code, isBackup, trustDevice })
      if (!told.ok) return refuse(reply, refusalOfCode(told.code))
      attempt.giveBack()
      setCookies(reply, told.cookies)
      return { second_factor: false }
    },
  )
  app.post(
    '/sign-out',
    {
      config,
      schema: {
        operationId: 'signOut',
        summary: 'End the session',
        tags: signInTags,
        response: { 200: component(doneSchema), ...errors() },
      },
    },
    async (request, reply) => {
      const told = await (await deps.auth()).signOut(askerOf(request))
      if (told.ok) setCookies(reply, told.cookies)
      return { done: true as const }
    },
  )
}

const wrongSignIn = refusal('unauthorized', because('sign_in_wrong', 'The e-mail address or the password is wrong.'))

function linkRoutes(app: HttpServer, deps: MembersDeps): void {
  app.post(
    '/sign-in/link',
    {
      config,
      schema: {
        operationId: 'requestLink',
        summary: 'Ask for a one-time link by mail',
        description: 'The same answer whether or not somebody has this address.',
        tags: signInTags,
        body: requestLinkBody,
        response: { 202: component(linkRequestedSchema), ...errors() },
      },
    },
    async (request, reply) => {
      const email = parseEmail(request.body.email)
      if (email !== null) {
        const device = deps.devices.deviceOf(request.headers.cookie, email)
        if (!mayGoOn(reply, await deps.attempts.takeLinkMail({ email, from: request, device }))) return reply as never
        requestLink(deps, { email, by: device === null ? 'anybody' : 'member' })
      }
      reply.code(202)
      return { mailed: deps.hasMail }
    },
  )
  app.post(
    '/sign-in/link/open',
    {
      config,
      schema: {
        operationId: 'openLink',
        summary: 'Sign in with a one-time link',
        description: 'Spends the link, unless the person has a second factor and gave no code of it.',
        tags: signInTags,
        body: openLinkBody,
        response: { 200: signedIn, ...errors() },
      },
    },
    async (request, reply) => {
      const { token, code = null } = request.body
      const attempt = await deps.attempts.takeProof(hashOfToken(token).toString('base64'), request)
      if (!mayGoOn(reply, attempt)) return reply as never
      const opened = await openLink(deps, askerOf(request), { token, code })
      if (!opened.ok) return answer(reply, opened)
      const { email, cookies, secondFactor } = opened.value
      if (!secondFactor) attempt.giveBack()
      setCookies(reply, secondFactor ? cookies : [...cookies, deps.devices.cookieOf(email)])
      return { second_factor: secondFactor }
    },
  )
}

/** Whether an attempt may be made. False: it was one too many, and has been answered. */
export function mayGoOn(reply: AnyReply, { window }: Attempt): boolean {
  tellLimits(reply as unknown as FastifyReply, window)
  return window.admitted || tooMany(reply as unknown as FastifyReply, window)
}

/** The address is the one that our own settings of proxies lead to: no header of the caller's counts. */
export function askerOf(
  {
    headers,
    ip,
    signedIn,
  }: { headers: { cookie?: string | undefined; 'user-agent'?: string | undefined }; ip: string; signedIn: object | null },
  device: string | null = null,
): Asker {
  const isKnown = signedIn !== null || device !== null
  return { cookie: headers.cookie ?? '', userAgent: headers['user-agent'] ?? '', address: ip, isKnown }
}

/** Each in a header of its own. */
export function setCookies(reply: { header(name: string, value: string[]): unknown }, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
}
