// What the operations of these pages will be called and answer, until the server's document has them.

import type { Channel } from './generated/operations.ts'

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
    'GET /account/messages/by-id': {
      query: { ids: string }
      answer: { object: 'list'; data: { id: string; conversation_id: string | null }[]; has_more: boolean }
    }
  }
}
