// What the operations of these pages will be called and answer, until the server's document has them.

import type { Channel } from './generated/operations.ts'

type Attempt = { number: number; manual: boolean; at: string; ms: number; status_code: number | null; error: string | null }
type Delivery = {
  id: string
  webhook_id: string
  url: string | null
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  next_attempt_at: string | null
  attempts: Attempt[]
}
type Entry =
  | { kind: 'accepted'; at: string; source: string; client_reference: string | null }
  | { kind: 'received'; at: string; source: string }
  | {
      kind: 'queued'
      at: string
      until: string | null
      waiting_because:
        | 'account_suspended'
        | 'channel_not_connected'
        | 'upstream_asked_to_wait'
        | 'pace'
        | 'being_sent'
        | 'unknown_outcome'
        | null
      ahead: number | null
      not_before: string | null
      expires_at: string | null
    }
  | {
      kind: 'upstream_call'
      at: string
      number: number
      ms: number
      outcome: 'accepted' | 'refused' | 'not_accepted' | 'unknown'
      status_code: number | null
      code: number | null
    }
  | {
      kind: 'status'
      at: string
      status: 'sent' | 'delivered' | 'read' | 'failed'
      error: { code: number | null; message: string } | null
    }
  | { kind: 'file'; at: string; state: 'fetching' | 'given_up'; tries: number; next_try_at: string | null }
  | { kind: 'edited'; at: string }
  | { kind: 'deleted'; at: string }
  | { kind: 'event'; at: string; id: string; type: string; deliveries: Delivery[] }

type Timeline = {
  object: 'message_timeline'
  message_id: string
  direction: 'inbound' | 'outbound'
  status: string
  channel_id: string
  diagnosis: {
    code:
      | 'received'
      | 'sent'
      | 'delivered'
      | 'read'
      | 'waiting_for_pace'
      | 'account_suspended'
      | 'channel_not_connected'
      | 'upstream_asked_to_wait'
      | 'being_sent'
      | 'file_not_fetched_yet'
      | 'webhook_pending'
      | 'unknown_outcome'
      | 'expired'
      | 'window_closed'
      | 'not_on_whatsapp'
      | 'recipient_opted_out'
      | 'held_back_by_platform'
      | 'payment_problem'
      | 'file_refused'
      | 'template_problem'
      | 'channel_problem'
      | 'upstream_refused'
      | 'file_given_up'
      | 'webhook_failing'
    error_code: number | null
    message: string | null
  }
  webhooks: 'none' | 'told' | 'pending' | 'failing'
  entries: Entry[]
}

type ChannelDetails = Channel & { disconnected_because: string | null; disconnected_by_hand: boolean; last_notice_at: string | null }
type Alert = {
  id: string
  object: 'alert'
  kind: 'channel_token_lost' | 'channel_quality_low' | 'webhook_failing' | 'queue_old'
  subject: { type: 'channel' | 'webhook' | 'account'; id: string | null }
  opened_at: string
  closed_at: string | null
  dismissed_at: string | null
  mailed_at: string | null
}

declare module './generated/operations.ts' {
  interface Operations {
    'GET /account/messages/{id}/timeline': { path: { id: string }; answer: Timeline }
    'GET /account/usage/months': { answer: { object: 'list'; data: string[]; has_more: boolean } }
    'GET /account/alerts': { answer: { object: 'list'; data: Alert[]; has_more: boolean } }
    'POST /account/alerts/{id}/dismiss': { path: { id: string }; body: null; answer: Alert }
    'GET /account/overview': {
      answer: {
        object: 'overview'
        today: {
          day: string
          sent: { total: number; queued: number; sent: number; delivered: number; read: number; failed: number }
          received: number
        }
        queue: { waiting: number; oldest_at: string | null }
        channels: ChannelDetails[]
        failing_webhooks: { id: string; failing_since: string }[]
        open_alerts: Alert[]
      }
    }
    'GET /account/api-keys': { answer: { object: 'list'; data: { id: string; livemode: boolean }[]; has_more: boolean } }
    'GET /account/messages/by-id': {
      query: { ids: string }
      answer: { object: 'list'; data: { id: string; conversation_id: string | null }[]; has_more: boolean }
    }
  }
}
