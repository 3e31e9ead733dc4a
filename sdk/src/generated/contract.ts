// Written by "npm run contract" from contract/openapi.json: change the routes of the server instead of this file.

export type SendMessageRequest = SendText

export type MessageType = 'text' | 'image' | 'audio' | 'video' | 'document' | 'sticker' | 'location' | 'contact' | 'template' | 'system'

export type MessageStatus = 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | 'received'

export type EventType =
  | 'message.received'
  | 'message.reaction'
  | 'message.edited'
  | 'message.deleted'
  | 'message.sent'
  | 'message.delivered'
  | 'message.read'
  | 'message.failed'
  | 'template.status_updated'
  | 'template.category_updated'
  | 'template.quality_updated'
  | 'template.components_updated'
  | 'channel.updated'
  | 'contact.marketing_preference_updated'

/** What each operation takes, and what it answers when it succeeds. */
export interface Operations {
  /**
   * Send a message
   *
   * The answer comes once the message is stored for good. What becomes of it is told by events.
   */
  'POST /messages': {
    body: SendMessageRequest
    answer: Message
  }
  /**
   * List messages
   *
   * Sent and received messages, newest first.
   */
  'GET /messages': {
    query?: ListMessagesQuery
    answer: {
      object: 'list'
      data: Message[]
      has_more: boolean
    }
  }
  /** Fetch one message */
  'GET /messages/{id}': {
    path: {
      /** The id of the message. */
      id: string
    }
    answer: Message
  }
  /**
   * List numbers
   *
   * All numbers of the account, oldest first, as last told by upstream.
   */
  'GET /channels': {
    answer: {
      object: 'list'
      data: Channel[]
      has_more: boolean
    }
  }
  /**
   * Register a webhook
   *
   * The answer holds the secret that its deliveries are signed with. It is shown only here: store it.
   */
  'POST /webhooks': {
    body: CreateWebhook
    answer: Webhook
  }
  /**
   * List webhooks
   *
   * All of the account, newest first.
   */
  'GET /webhooks': {
    answer: {
      object: 'list'
      data: Webhook[]
      has_more: boolean
    }
  }
  /**
   * Delete a webhook
   *
   * Nothing is posted to it any more; its pending deliveries become canceled.
   */
  'DELETE /webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    answer: WebhookDeleted
  }
  /** Get a webhook */
  'GET /webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    answer: Webhook
  }
  /**
   * Replace the secret
   *
   * The answer holds the new secret, which is shown only here. Every attempt that starts after it is signed with the new one, and while the previous one counts with both, the new one first.
   */
  'POST /webhooks/{id}/rotate-secret': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body?: RotateWebhookSecretRequest
    answer: Webhook
  }
  /**
   * List deliveries
   *
   * The deliveries of a webhook with all their attempts, newest first.
   */
  'GET /webhooks/{id}/deliveries': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    query?: ListWebhookDeliveriesQuery
    answer: {
      object: 'list'
      data: WebhookDelivery[]
      has_more: boolean
    }
  }
  /**
   * Retry a delivery
   *
   * Posts the event again at once, whatever became of the delivery; the answer shows the record as it was before. One retry of a delivery at a time, 60 a minute for a webhook. When it succeeds the delivery has succeeded, else its automatic attempts go on untouched.
   */
  'POST /webhooks/{id}/deliveries/{delivery_id}/retry': {
    path: {
      /** The id of the webhook. */
      id: string
      /** The id of the delivery. */
      delivery_id: string
    }
    answer: WebhookDelivery
  }
  /**
   * Retry what has failed
   *
   * Posts the events of all deliveries again that were created since then and have failed, one after the other, beside what is posted anyway. Those of which a retry waits already are not counted again.
   */
  'POST /webhooks/{id}/deliveries/retry': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body: RetryFailedDeliveries
    answer: RetriedDeliveries
  }
}

export interface SendText {
  /**
   * The person: a phone with country code, 10 to 15 digits (`+`, spaces, hyphens and brackets are allowed), or the user id of a known person.
   */
  to: string
  /** The number to send from; required when the account has more than one. */
  channel_id?: string
  /** The message to quote: our id or a wamid. */
  reply_to?: string
  /** Your own identifier; returned in every event of this message. */
  client_reference?: string
  /** Used only when the person is not known yet. */
  contact_name?: string
  type: 'text'
  text: {
    body: string
    /** Shows a preview of the first link. */
    preview_url?: boolean
    [k: string]: unknown
  }
  [k: string]: unknown
}

export interface Message {
  id: string
  object: 'message'
  direction: 'inbound' | 'outbound'
  channel_id: string
  contact: {
    /** Digits with country code, in one spelling however it was dialled; empty for a person known by user id only. */
    phone: string
    name: string | null
    /** Upstream's user id, present only when known. */
    user_id?: string
  }
  type: MessageType
  status: MessageStatus
  text: string | null
  media: {
    url: string
    mime_type: string | null
    file_name: string | null
    size_bytes: number | null
  } | null
  reply_to: string | null
  button_reply_id: string | null
  client_reference: string | null
  source: 'api' | 'crm' | 'ai' | 'chat'
  wamid: string | null
  pricing: {
    category: string | null
    billable: boolean | null
  } | null
  error: {
    code: number | null
    message: string
  } | null
  created_at: string
  sent_at: string | null
  delivered_at: string | null
  read_at: string | null
  /** For received messages, the original object of the platform. */
  meta?: unknown
}

export interface ListMessagesQuery {
  /** How many items a page has. */
  limit?: number
  /** The id of the last item of the page before. */
  starting_after?: string
  direction?: 'inbound' | 'outbound'
  status?: MessageStatus
  /** Only messages from and to this person. */
  phone?: string
  client_reference?: string
  /** Only messages sent by your integration. */
  source?: 'api'
  /** Created at this time or later. */
  since?: string
  /** Created before this time. */
  until?: string
}

/** A number through which the account sends and receives. */
export interface Channel {
  id: string
  object: 'channel'
  /** `connected` while the number can send, else `disconnected`; more may come. */
  status: string
  /** Digits only, with country code. */
  phone: string | null
  /** The name that people see. */
  display_name: string | null
  /** Upstream's review of that name. */
  name_status: string | null
  /** GREEN, YELLOW or RED; null: not rated yet. */
  quality: string | null
  /** Upstream's level of throughput. */
  throughput: string | null
  /** How many people can be reached per 24 hours outside the service window. */
  messaging_limit: string | null
  official_business_account: boolean | null
  /** The WhatsApp Business Account that the number belongs to. */
  waba_id: string | null
  /** Upstream's id of the number. */
  phone_number_id: string | null
}

export interface CreateWebhook {
  /** Where events are posted: an https URL on the public internet. */
  url: string
  /**
   * The kinds to be told of; `*`: all.
   *
   * @minItems 1
   * @maxItems 30
   */
  events: (EventType | '*')[]
  /** For your own use. */
  description?: string
}

/** An address that is told of events. */
export interface Webhook {
  id: string
  object: 'webhook'
  url: string | null
  events: string[]
  /** While false, events are not recorded for it. */
  enabled: boolean
  description: string | null
  created_at: string
  /** What its deliveries are signed with. Shown once: when it is made, and when it is replaced. */
  secret?: string
}

export interface WebhookDeleted {
  deleted: true
  id: string
}

export interface RotateWebhookSecretRequest {
  /** For how many seconds events carry a signature by the previous secret too. Left out: 0. */
  expire_previous_in?: number
}

export interface ListWebhookDeliveriesQuery {
  /** How many items a page has. */
  limit?: number
  /** The id of the last item of the page before. */
  starting_after?: string
  status?: 'pending' | 'succeeded' | 'failed' | 'canceled'
  event_type?: EventType
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  id: string
  object: 'webhook_delivery'
  webhook_id: string
  event_id: string
  event_type: EventType
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Those that have ended, in their order. */
  attempts: {
    /** Counts all attempts of the delivery, from 1. */
    number: number
    /** A retry that was asked for. */
    manual: boolean
    created_at: string
    /** Null when there was no answer. */
    status_code: number | null
    duration_ms: number
    /** Why there was no answer. */
    error: string | null
    /** The beginning of the answer, up to 1024 bytes. */
    response_body: string | null
  }[]
  next_attempt_at: string | null
  created_at: string
  /** The event as it is posted. Null once it is no longer kept. */
  payload: {
    [k: string]: unknown
  } | null
}

export interface RetryFailedDeliveries {
  /** Deliveries created at this time or later. */
  since: string
}

export interface RetriedDeliveries {
  /** How many retries were queued. */
  retried: number
}

export interface ErrorEnvelope {
  error: {
    code:
      | 'invalid_request'
      | 'unauthorized'
      | 'account_suspended'
      | 'forbidden'
      | 'not_found'
      | 'conflict'
      | 'idempotency_conflict'
      | 'channel_not_connected'
      | 'channel_ambiguous'
      | 'outside_customer_service_window'
      | 'recipient_opted_out'
      | 'rate_limited'
      | 'meta_error'
      | 'internal_error'
    message: string
    details?: {
      message: string
      /** What is wrong, as a JSON path: contacts[2].name. */
      field?: string
      code?: string | number
    }[]
    /** The Request-Id of the call. */
    request_id: string
  }
}
