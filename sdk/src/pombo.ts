import { type CallOptions, createCaller, type PomboOptions, runtimeMachine } from './call.ts'
import type { Message } from './generated/contract.ts'
import { listing, type Page } from './listing.ts'
import type { Body, Query, ReactionResult, SendMessageRequest } from './operations.ts'

export type SendOptions = CallOptions & {
  /** A name for this send, 1 to 255 printable ASCII characters: the same one within 24 hours sends nothing again. Left out: a new one is made. */
  idempotencyKey?: string
}

export type UploadOptions = CallOptions & { fileName?: string }

/** A reaction is no message of its own. */
export type SendAnswer<Sent> = Sent extends { type: 'reaction' } ? ReactionResult : Message

export type Pombo = ReturnType<typeof createPombo>

/** The gateway's operations with one key. Fields and answers are those of the contract; see PomboError for what fails. */
export function createPombo(options: PomboOptions) {
  const { call, responseOf } = createCaller(options, runtimeMachine)
  return {
    /** What came beside an answer (or a page) of this client: its request id, whether it was replayed, what the rate limit leaves. */
    responseOf,
    messages: {
      /** Accepts a message; what becomes of it is told by events. Never sends twice: every attempt carries the same idempotency key. */
      send: <Sent extends SendMessageRequest>(message: Sent, { idempotencyKey, ...rest }: SendOptions = {}) =>
        call(
          'POST /messages',
          { body: message },
          { ...rest, repeatable: true, idempotencyKey: idempotencyKey ?? crypto.randomUUID() },
        ) as Promise<SendAnswer<Sent>>,
      /** Sent and received messages, newest first. */
      list: (query: Query<'GET /messages'> = {}, rest: CallOptions = {}) =>
        listing((cursor) => call('GET /messages', { query: startingAfter(query, cursor) }, rest), lastId),
      get: (id: string, rest: CallOptions = {}) => call('GET /messages/{id}', { path: { id } }, rest),
      /** Shows the person that a message was read, and with `typing_indicator` that an answer is being written. */
      markRead: (id: string, body: Body<'POST /messages/{id}/read'> = {}, rest: CallOptions = {}) =>
        call('POST /messages/{id}/read', { path: { id }, body }, rest),
    },
    media: {
      /** Stores a file; its `url` is a `link` for any number of sends. The same bytes again are the same file, so that it may be repeated. */
      upload: (file: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer, { fileName, ...rest }: UploadOptions = {}) =>
        call('POST /media', {}, { ...rest, repeatable: true, form: formOf(file, fileName) }),
    },
    templates: {
      list: (query: Query<'GET /templates'> = {}, rest: CallOptions = {}) =>
        listing(
          (cursor) => call('GET /templates', { query: cursor === null ? query : { ...query, after: cursor } }, rest),
          (page) => page.next_cursor,
        ),
      /** Submits a template for approval; the outcome comes as the event `template.status_updated`. */
      create: (template: Body<'POST /templates'>, rest: CallOptions = {}) => call('POST /templates', { body: template }, rest),
      /** The template in all its languages. */
      get: (name: string, query: Query<'GET /templates/{name}'> = {}, rest: CallOptions = {}) =>
        call('GET /templates/{name}', { path: { name }, query }, rest),
      /** Deletes all languages, or with `hsm_id` one. */
      delete: (name: string, query: Query<'DELETE /templates/{name}'> = {}, rest: CallOptions = {}) =>
        call('DELETE /templates/{name}', { path: { name }, query }, rest),
    },
    channels: {
      list: (rest: CallOptions = {}) => listing(() => call('GET /channels', {}, rest), onePage),
    },
    webhooks: {
      /** The answer holds the secret that its events are signed with, which is shown only here. */
      create: (webhook: Body<'POST /webhooks'>, rest: CallOptions = {}) => call('POST /webhooks', { body: webhook }, rest),
      list: (rest: CallOptions = {}) => listing(() => call('GET /webhooks', {}, rest), onePage),
      get: (id: string, rest: CallOptions = {}) => call('GET /webhooks/{id}', { path: { id } }, rest),
      update: (id: string, changes: Body<'PATCH /webhooks/{id}'>, rest: CallOptions = {}) =>
        call('PATCH /webhooks/{id}', { path: { id }, body: changes }, rest),
      delete: (id: string, rest: CallOptions = {}) => call('DELETE /webhooks/{id}', { path: { id } }, rest),
      /** The answer holds the new secret. With `expire_previous_in` events are signed with both for so many seconds. */
      rotateSecret: (id: string, body: Body<'POST /webhooks/{id}/rotate-secret'> = {}, rest: CallOptions = {}) =>
        call('POST /webhooks/{id}/rotate-secret', { path: { id }, body }, rest),
      /** Posts a sample event to the webhook; the answer is its delivery. */
      sendTest: (id: string, rest: CallOptions = {}) => call('POST /webhooks/{id}/test', { path: { id } }, rest),
      /** What was delivered to the webhook, with every attempt, newest first. */
      deliveries: (id: string, query: Query<'GET /webhooks/{id}/deliveries'> = {}, rest: CallOptions = {}) =>
        listing((cursor) => call('GET /webhooks/{id}/deliveries', { path: { id }, query: startingAfter(query, cursor) }, rest), lastId),
      /** Posts one event again, at once. */
      retry: (id: string, deliveryId: string, rest: CallOptions = {}) =>
        call('POST /webhooks/{id}/deliveries/{delivery_id}/retry', { path: { id, delivery_id: deliveryId } }, rest),
      /** Posts everything again that has failed since a moment. */
      retryAll: (id: string, body: Body<'POST /webhooks/{id}/deliveries/retry'>, rest: CallOptions = {}) =>
        call('POST /webhooks/{id}/deliveries/retry', { path: { id }, body }, rest),
    },
    optOuts: {
      /** No marketing template reaches this person any more. Adding twice is adding once. */
      add: (phone: string, rest: CallOptions = {}) => call('POST /marketing-opt-outs', { body: { phone } }, { ...rest, repeatable: true }),
      remove: (phone: string, rest: CallOptions = {}) => call('DELETE /marketing-opt-outs/{phone}', { path: { phone } }, rest),
      list: (query: Query<'GET /marketing-opt-outs'> = {}, rest: CallOptions = {}) =>
        listing(
          (cursor) => call('GET /marketing-opt-outs', { query: startingAfter(query, cursor) }, rest),
          (page) => page.data.at(-1)?.phone,
        ),
    },
    usage: {
      /** The figures of a month (`2026-11`), as on the invoice; left out: of this one. */
      get: (query: Query<'GET /usage'> = {}, rest: CallOptions = {}) => call('GET /usage', { query }, rest),
    },
  }
}

const lastId = (page: Page<{ id: string }>): string | undefined => page.data.at(-1)?.id

const onePage = (): null => null

function startingAfter<ListQuery extends { starting_after?: string }>(query: ListQuery, cursor: string | null): ListQuery {
  return cursor === null ? query : { ...query, starting_after: cursor }
}

function formOf(file: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer, fileName: string | undefined): FormData {
  const form = new FormData()
  const blob = file instanceof Blob ? file : new Blob([file])
  if (fileName === undefined) form.append('file', blob)
  else form.append('file', blob, fileName)
  return form
}
