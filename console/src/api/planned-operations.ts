import type { Message } from './generated/operations.ts'

// What the inbox's operations are called and answer, until the generated document has them.

export type Member = { id: string; name: string | null }

export type ConversationMessage = Message & {
  kind: string
  content: unknown
  quoted: { id: string; direction: string; type: string; text: string | null } | null
  reactions: { emoji: string; by: 'contact' | 'us'; created_at: string }[]
  edited_at: string | null
  deleted_at: string | null
  failed_at: string | null
  outcome_unknown: boolean
  author: Member | null
  file_state: 'fetching' | 'failed' | null
}

export type LastMessage = {
  id: string
  direction: 'inbound' | 'outbound'
  type: string
  text: string | null
  status: string
  source: string
  created_at: string
  deleted: boolean
}

export type Conversation = {
  id: string
  object: 'conversation'
  channel_id: string
  contact: { id: string; phone: string; name: string | null; user_id?: string }
  state: 'open' | 'closed'
  snoozed_until: string | null
  assignee: Member | null
  labels: string[]
  unread: number
  last_message: LastMessage | null
  last_at: string
  window_expires_at: string | null
  opted_out: boolean
}

export type Note = { id: string; object: 'note'; text: string; author: Member; created_at: string }

export type FoundMessage = {
  id: string
  conversation_id: string
  channel_id: string
  contact: { name: string | null; phone: string }
  direction: string
  snippet: string
  created_at: string
}

type List<Item> = { object: 'list'; data: Item[]; has_more: boolean }

export type ConversationQuery = {
  state?: 'open' | 'closed' | 'snoozed' | 'all'
  assignee?: string
  channel_id?: string
  label?: string
  unread?: boolean
  limit?: number
  starting_after?: string
}

declare module './generated/operations.ts' {
  interface Operations {
    'GET /account/conversations': { query?: ConversationQuery; answer: List<Conversation> }
    'GET /account/conversations/counts': { answer: { open: number; mine: number; unassigned: number; unread: number } }
    'GET /account/conversations/{id}': { path: { id: string }; answer: Conversation }
    'PATCH /account/conversations/{id}': {
      path: { id: string }
      body: { state?: 'open' | 'closed'; assignee?: string | null; snoozed_until?: string | null; labels?: string[] }
      answer: Conversation
    }
    'POST /account/conversations/{id}/read': { path: { id: string }; body: null; answer: { unread: 0; told: boolean } }
    'GET /account/conversations/{id}/messages': {
      path: { id: string }
      query?: { limit?: number; before?: string; after?: string; around?: string }
      answer: List<ConversationMessage> & { has_newer?: boolean }
    }
    'GET /account/messages/by-id': { query: { ids: string }; answer: List<ConversationMessage> }
    'GET /account/conversations/{id}/notes': { path: { id: string }; query?: { limit?: number }; answer: List<Note> }
    'POST /account/conversations/{id}/notes': { path: { id: string }; body: { text: string }; answer: Note }
    'DELETE /account/conversations/{id}/notes/{note_id}': { path: { id: string; note_id: string }; body: null; answer: unknown }
    'GET /account/search': { query: { q: string }; answer: { conversations: Conversation[]; messages: FoundMessage[] } }
    'GET /account/labels': { answer: List<{ label: string; amount: number }> }
    'POST /account/messages/{id}/file/retry': { path: { id: string }; body: null; answer: unknown }
    'GET /account/members': { answer: List<{ user: { id: string; name: string; email: string }; role: string }> }
  }
}
