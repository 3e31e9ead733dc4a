import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { formatId, parseId } from '../../base/id.ts'
import type { ReasonCode } from '../../base/reasons.ts'
import { ok } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { listOf } from '../../platform/http/paging.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { reading, tags, writing } from './access.ts'
import { changeCanned, createCanned, listCanned, removeCanned } from './canned.ts'
import type { CannedAnswer } from './canned-store.ts'
import { CannedAnswerSchema } from './wire.ts'

type Deps = { database: Database; clock: Clock }

const canned = component(CannedAnswerSchema)
const shortcut = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^\\S+$',
  'x-expected': 'one word',
  'x-reason': 'one_word' satisfies ReasonCode,
})
const text = Type.String({ minLength: 1, maxLength: limits.textCharsMax })
const params = Type.Object({ id: Type.String({ description: 'The id of the canned answer.' }) })

const cannedJson = (each: CannedAnswer) => ({
  id: formatId('can', each.id),
  object: 'canned_answer' as const,
  shortcut: each.shortcut,
  text: each.text,
})

/** Answers that are given often. */
export function cannedRoutes(account: HttpServer, deps: Deps): void {
  account.get(
    '/canned-answers',
    {
      config: reading,
      schema: { operationId: 'listCannedAnswers', summary: 'List canned answers', tags, response: { 200: listOf(canned), ...errors() } },
    },
    async ({ member }) => ({
      object: 'list' as const,
      data: (await listCanned(deps, member.accountId)).map(cannedJson),
      has_more: false,
    }),
  )
  account.post(
    '/canned-answers',
    {
      config: writing,
      schema: {
        operationId: 'createCannedAnswer',
        summary: 'Keep an answer',
        tags,
        body: Type.Object({ shortcut, text }, { additionalProperties: false }),
        response: { 201: canned, ...errors('conflict') },
      },
    },
    async (request, reply) => {
      const { member, body } = request
      tellDeed(request, { shortcut: body.shortcut })
      const made = await createCanned(deps, { accountId: member.accountId, ...body })
      return made.ok ? answer(reply, ok(cannedJson(made.value)), 201) : refuse(reply, made.refusal)
    },
  )
  account.patch(
    '/canned-answers/:id',
    {
      config: writing,
      schema: {
        operationId: 'updateCannedAnswer',
        summary: 'Change a canned answer',
        tags,
        params,
        body: Type.Object({ shortcut: Type.Optional(shortcut), text: Type.Optional(text) }, { additionalProperties: false }),
        response: { 200: canned, ...errors(404, 'conflict') },
      },
    },
    async (request, reply) => {
      const {
        member,
        params: { id },
        body,
      } = request
      const changes = { shortcut: body.shortcut ?? null, text: body.text ?? null }
      const changed = await changeCanned(deps, { accountId: member.accountId, id: parseId('can', id) }, changes)
      if (changed.ok) tellDeed(request, { shortcut: changed.value.shortcut })
      return changed.ok ? answer(reply, ok(cannedJson(changed.value))) : refuse(reply, changed.refusal)
    },
  )
  account.delete(
    '/canned-answers/:id',
    {
      config: writing,
      schema: {
        operationId: 'deleteCannedAnswer',
        summary: 'Delete a canned answer',
        tags,
        params,
        response: { 200: Type.Object({ deleted: Type.Boolean() }), ...errors(404) },
      },
    },
    async ({ member, params: { id } }, reply) =>
      answer(reply, await removeCanned(deps, { accountId: member.accountId, id: parseId('can', id) })),
  )
}
