import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { invalidField } from '../../base/refusal.ts'
import { ok } from '../../base/result.ts'
import { limits } from '../../limits.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Reads, readingAs } from '../../platform/database/reads.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { limit, listOf } from '../../platform/http/paging.ts'
import { query } from '../../platform/http/query.ts'
import { component, errors } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { homeCountryOfAccount } from '../channels/public.ts'
import { newRecipientOf, type Recipient, recipientOf, recipientOfTeam, recipientWords } from '../contacts/public.ts'
import { namesOf } from '../members/public.ts'
import { liftPersonsOptOut } from './lift.ts'
import { listOptOuts } from './list.ts'
import { optPersonOut } from './set.ts'
import { optOutDeletedSchema, optOutJson, optOutRequestSchema, optOutSchema, personJson } from './wire.ts'

type Deps = { database: Database; reads: Reads; clock: Clock }

const config = { access: { scope: 'opt_outs:write', testKeys: true } }
const tags = ['Marketing opt-outs']
const optOut = component(optOutSchema)

/** The operations on opt-outs, under /v1. */
// rule: authentication 3
export function optOutRoutes(v1: HttpServer, deps: Deps): void {
  for (const schema of [optOutRequestSchema, optOutSchema, optOutDeletedSchema]) v1.addSchema(schema)
  createRoute(v1, deps)
  deleteRoute(v1, deps)
  listRoute(v1, deps)
}

/** The team writes a phone as people of its country do, a system with country code. */
async function recipientFrom(
  { database }: Deps,
  caller: Caller,
  text: string,
  ofSystem: (text: string) => Recipient | null,
): Promise<Recipient | null> {
  return caller.keyId === null ? recipientOfTeam(text, await homeCountryOfAccount(database, caller.accountId)) : ofSystem(text)
}

function createRoute(v1: HttpServer, deps: Deps): void {
  v1.post(
    '/marketing-opt-outs',
    {
      config,
      schema: {
        operationId: 'createMarketingOptOut',
        summary: 'Opt a person out of marketing',
        description:
          'From now on marketing templates to this person are refused; all else is still sent. 201, or 200 with the record as it was for one who had opted out before.',
        tags,
        body: component(optOutRequestSchema),
        response: { 200: optOut, 201: optOut, ...errors(404) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const recipient = await recipientFrom(deps, caller, body.phone, newRecipientOf)
      if (recipient === null) return refuse(reply, invalidField('phone', recipientWords(body.phone)))
      const origin = caller.keyId === null ? ({ source: 'console', author: caller.userId } as const) : ({ source: 'api' } as const)
      const made = await optPersonOut(deps, { accountId: caller.accountId, livemode: caller.livemode, recipient, ...origin })
      if (!made.ok) return refuse(reply, made.refusal)
      tellDeed(request, { person: made.value.contact.phone || body.phone })
      return answer(reply, ok(optOutJson(made.value.optOut, made.value.contact)), made.value.made ? 201 : 200)
    },
  )
}

function deleteRoute(v1: HttpServer, deps: Deps): void {
  v1.delete(
    '/marketing-opt-outs/:phone',
    {
      config,
      schema: {
        operationId: 'deleteMarketingOptOut',
        summary: 'Take an opt-out back',
        description: 'The person may be sent marketing templates again.',
        tags,
        params: Type.Object({
          phone: Type.String({ description: 'The person, as when the opt-out was made.', examples: ['5511987654321'] }),
        }),
        response: { 200: component(optOutDeletedSchema), ...errors(404) },
      },
    },
    async ({ caller, params }, reply) => {
      const recipient = await recipientFrom(deps, caller, params.phone, recipientOf)
      if (recipient === null) return refuse(reply, invalidField('phone', recipientWords(params.phone)))
      const lifted = await liftPersonsOptOut(deps, { accountId: caller.accountId, livemode: caller.livemode, recipient })
      return answer(reply, lifted.ok ? ok({ deleted: true as const, ...personJson(lifted.value) }) : lifted)
    },
  )
}

const listQuery = query({
  limit,
  starting_after: Type.Optional(
    Type.String({ description: 'The phone (of a person without one, the user id) of the last item of the page before.' }),
  ),
})

function listRoute(v1: HttpServer, deps: Deps): void {
  v1.get(
    '/marketing-opt-outs',
    {
      config,
      schema: {
        operationId: 'listMarketingOptOuts',
        summary: 'List opt-outs',
        description: 'The people who have opted out, in the order of their phones.',
        tags,
        querystring: listQuery,
        response: { 200: listOf(optOut), ...errors() },
      },
    },
    async ({ caller, query: asked }, reply) => {
      const startingAfter = asked.starting_after === undefined ? null : recipientOf(asked.starting_after)
      if (asked.starting_after !== undefined && startingAfter === null)
        return refuse(reply, invalidField('starting_after', recipientWords(asked.starting_after)))
      const { accountId, livemode } = caller
      const page = await listOptOuts(readingAs(deps, accountId), {
        accountId,
        livemode,
        limit: asked.limit ?? limits.listLimitDefault,
        startingAfter,
      })
      // The team sees who of them it was; systems have nothing to do with that.
      const authors = caller.keyId === null ? page.items.flatMap(({ optOut: { author } }) => author ?? []) : []
      const names = authors.length === 0 ? new Map<string, string>() : await namesOf(deps.database, [...new Set(authors)])
      return {
        object: 'list' as const,
        data: page.items.map((each) => optOutJson(each.optOut, each.contact, names.get(each.optOut.author ?? accountId))),
        has_more: page.hasMore,
      }
    },
  )
}
