import { Type } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { parseId } from '../../base/id.ts'
import type { Unseal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import { answer, refuse } from '../../platform/http/answer.ts'
import { tellDeed } from '../../platform/http/deed.ts'
import { component, errors, optionalBody } from '../../platform/http/schema.ts'
import type { HttpServer } from '../../platform/http/server.ts'
import { warnOfMisspelt } from '../../platform/http/warn.ts'
import type { Graph } from '../../platform/upstream/graph.ts'
import { findFile } from './find-file.ts'
import { markRead } from './mark-read.ts'
import type { ReactResult } from './react.ts'
import { readSend } from './read-send.ts'
import type { Reaction, Send } from './send-request.ts'
import type { SendResult } from './send-result.ts'
import {
  IdempotencyKey,
  MarkReadRequest,
  MarkReadSchema,
  ReactionSchema,
  SendMessageRequest,
  sendFields,
  sendSchemas,
} from './send-wire.ts'
import { MessageSchema, messageExample } from './wire.ts'

export type SendRouteDeps = {
  database: Database
  clock: Clock
  graph: Graph
  unseal: Unseal
  send: (send: Send) => Promise<SendResult>
  react: (reaction: Reaction) => Promise<ReactResult>
  /** Where our files are served from, and every address under which callers may know them. */
  filesUrl: string
  ourAddresses: readonly string[]
}

const json = 'application/json; charset=utf-8'

/** Sending, reacting and marking as read. */
export function sendRoutes(v1: HttpServer, deps: SendRouteDeps): void {
  for (const schema of [...sendSchemas, SendMessageRequest, ReactionSchema, MarkReadSchema]) v1.addSchema(schema)
  sendRoute(v1, deps)
  markReadRoute(v1, deps)
}

function sendRoute(v1: HttpServer, deps: SendRouteDeps): void {
  v1.post(
    '/messages',
    {
      config: { access: { scope: 'messages:send', testKeys: true }, warns: true },
      schema: {
        operationId: 'sendMessage',
        summary: 'Send a message',
        description:
          'The answer comes once the message is stored for good. What becomes of it is told by events. A reaction is answered at once.',
        tags: ['Messages'],
        headers: Type.Object({
          'idempotency-key': Type.Optional(IdempotencyKey),
        }),
        body: component(SendMessageRequest),
        response: {
          200: component(ReactionSchema),
          202: component(MessageSchema),
          ...errors(
            402,
            404,
            'conflict',
            'idempotency_conflict',
            'channel_not_connected',
            'channel_ambiguous',
            'outside_customer_service_window',
            'recipient_opted_out',
            502,
          ),
        },
      },
    },
    async (request, reply) => {
      const idempotencyKey = request.headers['idempotency-key']
      const { caller, id: requestId } = request
      const read = readSend(deps.clock, request.body, { caller, idempotencyKey, ourAddresses: deps.ourAddresses, requestId })
      if (!read.ok) return refuse(reply, read.refusal)
      const found = read.value
      if (request.caller.keyId === null) tellDeed(request, { person: request.body.to, kind: request.body.type })
      const done = found.kind === 'reaction' ? await deps.react(found.reaction) : await sendWithFile(deps, found.send)
      if (!done.ok) return refuse(reply, done.refusal)
      warnOfMisspelt(reply, request.body, sendFields)
      request.toldMessage = messageIn(done.value.body)
      if (done.value.replayed) reply.header('idempotent-replayed', 'true')
      // Finished JSON: the same bytes that a repetition will get.
      return reply
        .code(found.kind === 'reaction' ? 200 : 202)
        .header('content-type', json)
        .send(done.value.body as never)
    },
  )
}

/** The id of the message that finished JSON tells of. */
function messageIn(body: string): string | null {
  return /^\{(?:"object":"reaction","message_id"|"id"):"(msg_[0-9a-f]{32})"/.exec(body)?.[1] ?? null
}

async function sendWithFile(deps: SendRouteDeps, read: Parameters<typeof findFile>[1]): Promise<SendResult> {
  const send = await findFile(deps, read)
  return send.ok ? deps.send(send.value) : send
}

function markReadRoute(v1: HttpServer, deps: SendRouteDeps): void {
  v1.post(
    '/messages/:id/read',
    {
      config: { access: { scope: 'messages:send', testKeys: false } },
      schema: {
        operationId: 'markMessageRead',
        summary: 'Mark a received message as read',
        description: 'The person sees two blue ticks, and with `typing_indicator` also that someone is typing.',
        tags: ['Messages'],
        params: Type.Object({ id: Type.String({ description: 'The id of a received message.', examples: [messageExample.id] }) }),
        body: optionalBody(MarkReadRequest),
        response: { 200: component(MarkReadSchema), ...errors(404, 502) },
      },
    },
    async ({ caller, params, body }, reply) => {
      const input = { accountId: caller.accountId, id: parseId('msg', params.id), typing: body?.typing_indicator === true }
      return answer(reply, await markRead(deps, input))
    },
  )
}
