import type { EventType, Message, Webhook, WebhookDelivery } from './generated/contract.ts'

// STOPGAP: what version 1 of the API has and `contract/openapi.json` does not have yet, written by hand. An operation or a kind of send gives
// way by itself to the generated one as soon as that exists (operations.ts); events by changing one import (event.ts). `npm test -- sdk` names
// what is to be deleted here; with the last of it this file goes, and its lines in operations.ts.

type Upstream = { [k: string]: unknown }
type List<Item> = { object: 'list'; data: Item[]; has_more: boolean }

export interface StopgapOperations {
  'POST /messages/{id}/read': { path: { id: string }; body?: { typing_indicator?: boolean }; answer: { success: boolean } }
  'POST /media': { answer: Media }
  'GET /templates': {
    query?: { status?: string; after?: string; channel_id?: string }
    answer: List<Template> & { next_cursor: string | null }
  }
  'POST /templates': { body: CreateTemplate; answer: SubmittedTemplate }
  'GET /templates/{name}': { path: { name: string }; query?: { channel_id?: string }; answer: List<Template> }
  'DELETE /templates/{name}': {
    path: { name: string }
    query?: { hsm_id?: string; channel_id?: string }
    answer: { deleted: boolean; name: string }
  }
  'PATCH /webhooks/{id}': { path: { id: string }; body: UpdateWebhook; answer: Webhook }
  'POST /webhooks/{id}/test': { path: { id: string }; answer: WebhookDelivery }
  'POST /marketing-opt-outs': { body: { phone: string }; answer: OptOut }
  'DELETE /marketing-opt-outs/{phone}': { path: { phone: string }; answer: { deleted: boolean; phone: string } }
  'GET /marketing-opt-outs': { query?: { limit?: number; starting_after?: string }; answer: List<OptOut> }
  'GET /usage': { query?: { month?: string }; answer: Usage }
}

type Common = { to: string; channel_id?: string; reply_to?: string; client_reference?: string; contact_name?: string }
type LinkOrId = { link: string; id?: never } | { id: string; link?: never }

export type StopgapSend = Common &
  (
    | { type: 'image'; image: LinkOrId & { caption?: string } }
    | { type: 'audio'; audio: LinkOrId & { voice?: boolean } }
    | { type: 'video'; video: LinkOrId & { caption?: string } }
    | { type: 'document'; document: LinkOrId & { caption?: string; filename?: string } }
    | { type: 'sticker'; sticker: LinkOrId }
    | { type: 'location'; location: { latitude: number; longitude: number; name?: string; address?: string } }
    | { type: 'contacts'; contacts: Upstream[] }
    | { type: 'interactive'; interactive: { type: string; action: Upstream; [k: string]: unknown } }
    | { type: 'template'; template: { name: string; language: string | { code: string }; components?: Upstream[] } }
    | { type: 'reaction'; reaction: { message_id: string; emoji: string } }
  )

export type StopgapReaction = { object: 'reaction'; message_id: string | null; wamid: string; emoji: string; status: string }

type Media = {
  id: string
  object: 'media'
  url: string
  mime_type: string
  size_bytes: number
  suggested_type: string
  file_name: string | null
}

type Template = {
  id: string | null
  object: 'template'
  name: string | null
  language: string | null
  status: string | null
  category: string | null
  sub_category: string | null
  parameter_format: string | null
  quality: string | null
  rejected_reason: string | null
  components: Upstream[]
}

type CreateTemplate = {
  name: string
  language: string
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  components: Upstream[]
  channel_id?: string
  [k: string]: unknown
}

type SubmittedTemplate = { id: string | null; object: 'template'; status: string; name?: string; category?: string }

type UpdateWebhook = { url?: string; events?: Webhook['events']; enabled?: boolean; description?: string }

type OptOut = {
  object: 'marketing_opt_out'
  phone: string
  source: 'api' | 'person' | 'upstream' | 'console' | 'keyword'
  created_at: string
  livemode: boolean
}

type Usage = {
  object: 'usage'
  month: string
  franchise: number
  counted: number
  remaining: number
  over_franchise: number
  sent: { total: number; queued: number; sent: number; delivered: number; read: number; failed: number }
  received: number
  meta_billable_by_category: { [category: string]: number }
  meta_free_by_category: { [category: string]: number }
  by_day: { date: string; counted: number; failed: number }[]
  top_errors: { code: number | null; message: string; count: number }[]
}

type Envelope<Type extends EventType, Data> = {
  id: string
  object: 'event'
  type: Type
  api_version: 'v1'
  created_at: string
  livemode: boolean
  data: Data
}
type EachEvent<Type extends EventType, Data> = Type extends EventType ? Envelope<Type, Data> : never
type MessageEventType = Extract<EventType, `message.${string}`>
type Reaction = { emoji: string; message_id: string; contact: Message['contact']; created_at: string }
type Change = { field: string; value: unknown }
type NoticeData = { meta: { object: string; entry: { id: string; time?: number; changes: Change[] }[] } }

/** Every kind of event, told apart by `type`. */
export type StopgapEvent =
  | EachEvent<Exclude<MessageEventType, 'message.reaction'>, Message>
  | Envelope<'message.reaction', Message & { reaction: Reaction }>
  | EachEvent<Exclude<EventType, MessageEventType>, NoticeData>
