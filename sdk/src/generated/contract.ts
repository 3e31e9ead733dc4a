// Written by "npm run contract" from contract/openapi.json: change the routes of the server instead of this file.

/** A send: its `type` says which kind. Fields that are not listed go to the upstream platform unchanged. */
export type SendMessageRequest =
  | SendText
  | SendImage
  | SendAudio
  | SendVideo
  | SendDocument
  | SendSticker
  | SendLocation
  | SendContacts
  | SendInteractive
  | SendTemplate
  | SendReaction

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

/** What is posted to a webhook. */
export type PomboEvent =
  | MessageReceivedEvent
  | MessageReactionEvent
  | MessageEditedEvent
  | MessageDeletedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageReadEvent
  | MessageFailedEvent
  | TemplateStatusUpdatedEvent
  | TemplateCategoryUpdatedEvent
  | TemplateQualityUpdatedEvent
  | TemplateComponentsUpdatedEvent
  | ChannelUpdatedEvent
  | ContactMarketingPreferenceUpdatedEvent

/** What each operation takes, and what it answers when it succeeds. */
export interface Operations {
  /**
   * Send a message
   *
   * The answer comes once the message is stored for good. What becomes of it is told by events. A reaction is answered at once.
   *
   * A key with the scope `messages:send` may call it; test keys too.
   */
  'POST /messages': {
    body: SendMessageRequest
    answer: Reaction | Message
  }
  /**
   * List messages
   *
   * Sent and received messages, newest first.
   *
   * A key with the scope `messages:read` may call it; test keys too.
   */
  'GET /messages': {
    query?: ListMessagesQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Message[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Mark a received message as read
   *
   * The person sees two blue ticks, and with `typing_indicator` also that someone is typing.
   *
   * A key with the scope `messages:send` may call it; test keys may not.
   */
  'POST /messages/{id}/read': {
    path: {
      /** The id of a received message. */
      id: string
    }
    body?: MarkMessageReadRequest
    answer: MarkedAsRead
  }
  /**
   * Fetch one message
   *
   * A key with the scope `messages:read` may call it; test keys too.
   */
  'GET /messages/{id}': {
    path: {
      /** The id of the message. */
      id: string
    }
    answer: Message
  }
  /**
   * List templates
   *
   * One page, read from the upstream platform at each call. Of a filtered list a page may be short, or empty, before the last.
   *
   * A key with the scope `templates:read` may call it; test keys too.
   */
  'GET /templates': {
    query?: ListTemplatesQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Template[]
      /** Whether another page follows. */
      has_more: boolean
      /** For `after`; null on the last page. */
      next_cursor: string | null
    }
  }
  /**
   * Submit a template
   *
   * The upstream platform reviews it; the outcome is told by the event `template.status_updated`.
   *
   * A key with the scope `templates:write` may call it; test keys may not.
   */
  'POST /templates': {
    body: CreateTemplateRequest
    answer: SubmittedTemplate
  }
  /**
   * Get a template in all its languages
   *
   * Read from the upstream platform at each call.
   *
   * A key with the scope `templates:read` may call it; test keys too.
   */
  'GET /templates/{name}': {
    path: {
      /** The exact name of the template. */
      name: string
    }
    query?: GetTemplateQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Template[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Delete a template
   *
   * In all its languages, or only in the one whose id is given as `hsm_id`.
   *
   * A key with the scope `templates:write` may call it; test keys may not.
   */
  'DELETE /templates/{name}': {
    path: {
      /** The exact name of the template. */
      name: string
    }
    query?: DeleteTemplateQuery
    answer: TemplateDeleted
  }
  /**
   * List numbers
   *
   * All numbers of the account, oldest first, as last told by upstream.
   *
   * A key with the scope `channels:read` may call it; test keys too.
   */
  'GET /channels': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Channel[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Register a webhook
   *
   * The answer holds the secret that its deliveries are signed with. It is shown only here: store it.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'POST /webhooks': {
    body: CreateWebhook
    answer: WebhookWithSecret
  }
  /**
   * List webhooks
   *
   * All of the account, newest first.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'GET /webhooks': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Webhook[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Delete a webhook
   *
   * Nothing is posted to it any more; its pending deliveries become canceled.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'DELETE /webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    answer: WebhookDeleted
  }
  /**
   * Get a webhook
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'GET /webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    answer: Webhook
  }
  /**
   * Change a webhook
   *
   * What is left out stays as it is. While a webhook is disabled events are not recorded for it; what was pending waits, goes on when it is enabled again, and is canceled once older than 72 hours.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'PATCH /webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body?: UpdateWebhookRequest
    answer: Webhook
  }
  /**
   * Replace the secret
   *
   * The answer holds the new secret, which is shown only here. Every attempt that starts after it is signed with the new one, and while the previous one counts with both, the new one first.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'POST /webhooks/{id}/rotate-secret': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body?: RotateWebhookSecretRequest
    answer: WebhookWithSecret
  }
  /**
   * List deliveries
   *
   * The deliveries of a webhook with all their attempts, newest first.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'GET /webhooks/{id}/deliveries': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    query?: ListWebhookDeliveriesQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: WebhookDelivery[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Retry a delivery
   *
   * Posts the event again at once, whatever became of the delivery; the answer shows the record as it was before. One retry of a delivery at a time, 60 a minute for a webhook. When it succeeds the delivery has succeeded, else its automatic attempts go on untouched.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
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
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'POST /webhooks/{id}/deliveries/retry': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body: RetryFailedDeliveries
    answer: RetriedDeliveries
  }
  /**
   * Send a test event
   *
   * Posts a made-up `message.received` to this webhook alone, whatever kinds it asks for, with `livemode: false`. It is delivered like any other event; the answer is its record.
   *
   * A key with the scope `webhooks:write` may call it; test keys may not.
   */
  'POST /webhooks/{id}/test': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    answer: WebhookDelivery
  }
  /**
   * Opt a person out of marketing
   *
   * From now on marketing templates to this person are refused; all else is still sent. 201, or 200 with the record as it was for one who had opted out before.
   *
   * A key with the scope `opt_outs:write` may call it; test keys too.
   */
  'POST /marketing-opt-outs': {
    body: CreateMarketingOptOut
    answer: MarketingOptOut
  }
  /**
   * List opt-outs
   *
   * The people who have opted out, in the order of their phones.
   *
   * A key with the scope `opt_outs:write` may call it; test keys too.
   */
  'GET /marketing-opt-outs': {
    query?: ListMarketingOptOutsQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: MarketingOptOut[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Take an opt-out back
   *
   * The person may be sent marketing templates again.
   *
   * A key with the scope `opt_outs:write` may call it; test keys too.
   */
  'DELETE /marketing-opt-outs/{phone}': {
    path: {
      /** The person, as when the opt-out was made. */
      phone: string
    }
    answer: MarketingOptOutDeleted
  }
  /**
   * Usage of a month
   *
   * What the account has sent and received in a month, with live keys and real people, up to this moment.
   *
   * A key with the scope `usage:read` may call it; test keys may not.
   */
  'GET /usage': {
    query?: GetUsageQuery
    answer: Usage
  }
  /**
   * Upload a file
   *
   * Upload once, send any number of times: the url is permanent. The same bytes again answer the same file, and do not count as new. At most 30 uploads a minute for each key, and 1 GB of new files a day for each account.
   *
   * A key with the scope `media:write` may call it; test keys may not.
   */
  'POST /media': {
    answer: Media
  }
}

/** A text. */
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
  /** The kind of this send: `text`. */
  type: 'text'
  /** What is written. */
  text: {
    /** The words. */
    body: string
    /** Shows a preview of the first link. */
    preview_url?: boolean
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A picture. */
export interface SendImage {
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
  /** The kind of this send: `image`. */
  type: 'image'
  /** JPEG or PNG, up to 5 MB. */
  image: {
    /** A public https URL: your own, or the permanent `url` of an upload. Exactly one of `link` and `id`. */
    link?: string
    /** The id of an upload (`med_…`), or of media that the upstream platform has already. */
    id?: string
    /** Shown below the file. */
    caption?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A recording or a voice message. */
export interface SendAudio {
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
  /** The kind of this send: `audio`. */
  type: 'audio'
  /** AAC, AMR, MP3, M4A or OGG with Opus, up to 16 MB. */
  audio: {
    /** A public https URL: your own, or the permanent `url` of an upload. Exactly one of `link` and `id`. */
    link?: string
    /** The id of an upload (`med_…`), or of media that the upstream platform has already. */
    id?: string
    /** Shown as a voice message; needs OGG with Opus. */
    voice?: boolean
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A film. */
export interface SendVideo {
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
  /** The kind of this send: `video`. */
  type: 'video'
  /** MP4 or 3GP with H.264 and AAC, up to 16 MB. */
  video: {
    /** A public https URL: your own, or the permanent `url` of an upload. Exactly one of `link` and `id`. */
    link?: string
    /** The id of an upload (`med_…`), or of media that the upstream platform has already. */
    id?: string
    /** Shown below the file. */
    caption?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A document. */
export interface SendDocument {
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
  /** The kind of this send: `document`. */
  type: 'document'
  /** PDF, DOC(X), XLS(X), PPT(X) or TXT, up to 100 MB by your own link. */
  document: {
    /** A public https URL: your own, or the permanent `url` of an upload. Exactly one of `link` and `id`. */
    link?: string
    /** The id of an upload (`med_…`), or of media that the upstream platform has already. */
    id?: string
    /** Shown below the file. */
    caption?: string
    /** The name that the person sees; of an upload, its own name when this is left out. */
    filename?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A sticker. */
export interface SendSticker {
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
  /** The kind of this send: `sticker`. */
  type: 'sticker'
  /** WebP, up to 100 KB, animated up to 500 KB. */
  sticker: {
    /** A public https URL: your own, or the permanent `url` of an upload. Exactly one of `link` and `id`. */
    link?: string
    /** The id of an upload (`med_…`), or of media that the upstream platform has already. */
    id?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A place. */
export interface SendLocation {
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
  /** The kind of this send: `location`. */
  type: 'location'
  /** Where it is. */
  location: {
    /** Degrees, south of the equator below 0. */
    latitude: number
    /** Degrees, west of Greenwich below 0. */
    longitude: number
    /** What the place is called. */
    name?: string
    /** Shown below the name. */
    address?: string
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** Contact cards. */
export interface SendContacts {
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
  /** The kind of this send: `contacts`. */
  type: 'contacts'
  /**
   * Contact cards in the upstream platform's format: name, phones, emails …
   *
   * @minItems 1
   * @maxItems 50
   */
  contacts: {
    /** Whose card it is. */
    name: {
      /** The whole name, as it is shown. */
      formatted_name: string
      [k: string]: unknown
    }
    [k: string]: unknown
  }[]
  [k: string]: unknown
}

/** Buttons, lists and other messages that a person answers by choosing. */
export interface SendInteractive {
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
  /** The kind of this send: `interactive`. */
  type: 'interactive'
  /** The rest in the upstream platform's format; it judges what is inside. */
  interactive: {
    /** `button`, `list`, `cta_url`, `flow`, `product`, … */
    type: string
    /** What can be chosen: buttons, sections, a link … */
    action?: {
      [k: string]: unknown
    }
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A template, which may also be sent outside of the 24-hour window. */
export interface SendTemplate {
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
  /** The kind of this send: `template`. */
  type: 'template'
  /** Which template, and what its places are filled with. */
  template: {
    /** The name of an approved template. */
    name: string
    /** A code, or an object with one. */
    language:
      | string
      | {
          /** The language code, such as pt_BR. */
          code: string
          [k: string]: unknown
        }
    /**
     * Header, body, buttons … with their parameters, in the upstream platform's format.
     *
     * @maxItems 20
     */
    components?: {
      [k: string]: unknown
    }[]
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** A reaction to a message. It is answered at once, and makes no message. */
export interface SendReaction {
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
  /** The kind of this send: `reaction`. */
  type: 'reaction'
  /** Which message gets which reaction. */
  reaction: {
    /** The message that gets the reaction: our id or a wamid. */
    message_id: string
    /** An empty text takes the reaction away. */
    emoji: string
    [k: string]: unknown
  }
  [k: string]: unknown
}

/** What became of a reaction. */
export interface Reaction {
  /** What this is. */
  object: 'reaction'
  /** Our id of the message; null for one that is not ours. */
  message_id: string | null
  /** The upstream platform's id of the message that got the reaction. */
  wamid: string
  /** Empty: the reaction was taken away. */
  emoji: string
  /** `sent`: the upstream platform has accepted it. */
  status: string
}

/** One message in either direction, with its status. */
export interface Message {
  /** The id of the message: `msg_` and 32 hex characters. */
  id: string
  /** What this is. */
  object: 'message'
  /** `inbound`: a person wrote it; `outbound`: the business did. */
  direction: 'inbound' | 'outbound'
  /** The number that it was sent from, or came to. */
  channel_id: string
  /** The person who gets it, or who wrote it. */
  contact: {
    /** Digits with country code, in one spelling however it was dialled; empty for a person known by user id only. */
    phone: string
    /** The name that the person goes by; null: not known. */
    name: string | null
    /** Upstream's user id, present only when known. */
    user_id?: string
  }
  /**
   * What it carries. Contact cards are `contact`; interactive messages and what people choose in them are `text`; `system` is what fits no other.
   */
  type: MessageType
  /** How far it has come: `queued`, `sent`, `delivered`, `read`, or `failed`; `received` for what people write. */
  status: MessageStatus
  /** The words: the text, the caption, or a summary that can be read. Null: it has none, or was deleted for everyone. */
  text: string | null
  /** The file that it carries; null: none, or it was deleted for everyone. */
  media: {
    /** Where the file can be read: permanent, if it is kept here, else the link of the send. */
    url: string
    /** What kind of file it is; null: not known. */
    mime_type: string | null
    /** What the file is called; null: it has no name. */
    file_name: string | null
    /** How many bytes it has; null: not known. */
    size_bytes: number | null
  } | null
  /** The id of the message that it quotes; null: none, or none that is known. */
  reply_to: string | null
  /** The id of the button or row that the person chose; null: none. */
  button_reply_id: string | null
  /** Your own identifier, as the send gave it; null: it gave none. */
  client_reference: string | null
  /**
   * Where it was written: `api`, your integration; `chat`, by a person, in the console or on a phone; `crm` and `ai`, by other programs.
   */
  source: 'api' | 'crm' | 'ai' | 'chat'
  /** The upstream platform's id of the message; null until it is sent. */
  wamid: string | null
  /** How the upstream platform bills it; null until it says so. */
  pricing: {
    /** Marketing, utility, authentication, service …, in lower case; null: not told. */
    category: string | null
    /** Whether it is billed; null: not told. */
    billable: boolean | null
  } | null
  /** Why it failed; null: it did not. */
  error: {
    /** The upstream platform's code; null: there is none. */
    code: number | null
    /** For people; its words may change. */
    message: string
  } | null
  /** When it was accepted, or taken in. */
  created_at: string
  /** When the upstream platform accepted it; null: not yet, or a person wrote it. */
  sent_at: string | null
  /** When it reached the phone; null: not yet. */
  delivered_at: string | null
  /** When the person read it; null: not yet, or they do not tell. */
  read_at: string | null
  /** For received messages, the original object of the platform. */
  meta?: unknown
}

export interface ListMessagesQuery {
  /** How many items a page has. */
  limit?: number
  /** The id of the last item of the page before. */
  starting_after?: string
  /** Only what people wrote, or only what the business did. */
  direction?: 'inbound' | 'outbound'
  /** Only messages with this status now. */
  status?: MessageStatus
  /** Only messages from and to this person. */
  phone?: string
  /** Only messages with this identifier of yours. */
  client_reference?: string
  /** Created at this time or later. */
  since?: string
  /** Created before this time. */
  until?: string
  /** Only messages sent by your integration. */
  source?: 'api'
}

export interface MarkMessageReadRequest {
  /** Also shows for up to 25 seconds, or until your reply goes out, that someone is typing. */
  typing_indicator?: boolean
}

/** That a message is marked as read. */
export interface MarkedAsRead {
  /** True: the upstream platform was told. */
  success: boolean
}

export interface ListTemplatesQuery {
  /** Only templates with this status. */
  status?: string
  /** The `next_cursor` of the page before. */
  after?: string
  /** A number of the business account that is meant; required when the account has several of those. */
  channel_id?: string
}

/** A message that upstream has to approve before it may be sent outside of the service window. */
export interface Template {
  /** Upstream's id of the template in this language; `hsm_id` when only this one is to be deleted. */
  id: string | null
  /** What this is. */
  object: 'template'
  /** The name, the same in all languages. */
  name: string | null
  /** The language code, such as pt_BR. */
  language: string | null
  /** APPROVED, PENDING, REJECTED, PAUSED, DISABLED; more may come. */
  status: string | null
  /** MARKETING, UTILITY or AUTHENTICATION. Upstream may change it. */
  category: string | null
  /** Upstream's finer category. */
  sub_category: string | null
  /** POSITIONAL or NAMED. */
  parameter_format: string | null
  /** GREEN, YELLOW or RED; null: not rated yet. */
  quality: string | null
  /** Why it was rejected; null when it was not. */
  rejected_reason: string | null
  /** HEADER, BODY, FOOTER, BUTTONS …, as upstream has them. */
  components: {
    [k: string]: unknown
  }[]
}

/** Fields that are not listed here, such as `parameter_format`, go to the upstream platform unchanged. */
export interface CreateTemplateRequest {
  /** Lower-case letters, digits and underscores. */
  name: string
  /** The language code. */
  language: string
  /** What it is for, which decides its price. Upstream may put it elsewhere. */
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  /**
   * HEADER, BODY, FOOTER, BUTTONS, CAROUSEL …, in the format of the upstream platform.
   *
   * @minItems 1
   * @maxItems 20
   */
  components: {
    [k: string]: unknown
  }[]
  /** A number of the business account that is to have it; required when the account has several of those. */
  channel_id?: string
  [k: string]: unknown
}

/** A template that was submitted for review. */
export interface SubmittedTemplate {
  /** Upstream's id of the template. */
  id: string | null
  /** What this is. */
  object: 'template'
  /** PENDING while it is reviewed; the outcome is told by the event template.status_updated. */
  status: string
  /** The name, as it was submitted. */
  name?: string
  /** Where upstream put it, which may be another category than was asked for. */
  category?: string
}

export interface GetTemplateQuery {
  /** A number of the business account that is meant; required when the account has several of those. */
  channel_id?: string
}

export interface DeleteTemplateQuery {
  /** The id of the template in one language. */
  hsm_id?: string
  /** A number of the business account that is meant; required when the account has several of those. */
  channel_id?: string
}

/** That a template is gone. */
export interface TemplateDeleted {
  /** True: it is gone. */
  deleted: boolean
  /** The name of the template. */
  name: string
}

/** A number through which the account sends and receives. */
export interface Channel {
  /** The id of the number: `ch_` and 32 hex characters; usable as `channel_id`. */
  id: string
  /** What this is. */
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
  /** Whether upstream shows it as an official business; null: not known. */
  official_business_account: boolean | null
  /** The WhatsApp Business Account that the number belongs to. */
  waba_id: string | null
  /** Upstream's id of the number. */
  phone_number_id: string | null
}

/** A webhook that is to be made. */
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

/** A webhook with the secret that its deliveries are signed with. */
export interface WebhookWithSecret {
  /** The id of the webhook: `whk_` and 32 hex characters. */
  id: string
  /** What this is. */
  object: 'webhook'
  /** Where events are posted; null: nowhere. */
  url: string | null
  /** The kinds that it is told of; `*`: all. */
  events: string[]
  /** While false, events are not recorded for it. */
  enabled: boolean
  /** Your own words for it; null: none. */
  description: string | null
  /** When it was made. */
  created_at: string
  /** What its deliveries are signed with. Store it. */
  secret: string
}

/** An address that is told of events. */
export interface Webhook {
  /** The id of the webhook: `whk_` and 32 hex characters. */
  id: string
  /** What this is. */
  object: 'webhook'
  /** Where events are posted; null: nowhere. */
  url: string | null
  /** The kinds that it is told of; `*`: all. */
  events: string[]
  /** While false, events are not recorded for it. */
  enabled: boolean
  /** Your own words for it; null: none. */
  description: string | null
  /** When it was made. */
  created_at: string
  /** What its deliveries are signed with. Shown once: when it is made, and when it is replaced. */
  secret?: string
}

/** That a webhook is gone. */
export interface WebhookDeleted {
  /** It is gone. */
  deleted: true
  /** The id that it had. */
  id: string
}

export interface UpdateWebhookRequest {
  /** Where events are posted: an https URL on the public internet. */
  url?: string
  /**
   * The kinds to be told of; `*`: all.
   *
   * @minItems 1
   * @maxItems 30
   */
  events?: (EventType | '*')[]
  /** False: nothing is posted, and events of that time are not recorded for it. */
  enabled?: boolean
  /** For your own use. */
  description?: string
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
  /** Only deliveries with this status. */
  status?: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Only deliveries of this kind of event. */
  event_type?: EventType
}

/** One event on its way to one webhook. */
export interface WebhookDelivery {
  /** The id of the delivery: `dlv_` and 32 hex characters. */
  id: string
  /** What this is. */
  object: 'webhook_delivery'
  /** The webhook that is told. */
  webhook_id: string
  /** The event that it is told of, the same for every webhook. */
  event_id: string
  /** The kind of the event. */
  event_type: EventType
  /** `pending` while attempts follow; `canceled`: the webhook was removed or disabled for too long. */
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  /** Those that have ended, in their order. */
  attempts: {
    /** Counts all attempts of the delivery, from 1. */
    number: number
    /** A retry that was asked for. */
    manual: boolean
    /** When it began. */
    created_at: string
    /** Null when there was no answer. */
    status_code: number | null
    /** How long it took, in milliseconds. */
    duration_ms: number
    /** Why there was no answer. */
    error: string | null
    /** The beginning of the answer, up to 1024 bytes. */
    response_body: string | null
  }[]
  /** When it is tried next; null: not by itself. */
  next_attempt_at: string | null
  /** When the event happened. */
  created_at: string
  /** The event as it is posted. Null once it is no longer kept. */
  payload: {
    [k: string]: unknown
  } | null
}

/** Which deliveries are retried together. */
export interface RetryFailedDeliveries {
  /** Deliveries created at this time or later. */
  since: string
}

/** What came of it. */
export interface RetriedDeliveries {
  /** How many retries were queued. */
  retried: number
}

/** Whose opt-out is set. */
export interface CreateMarketingOptOut {
  /**
   * The person, as in the `to` of a send: a phone with country code, 10 to 15 digits (`+`, spaces, hyphens and brackets are allowed), or the user id of a known person.
   */
  phone: string
}

/** A person who gets no marketing templates. */
export interface MarketingOptOut {
  /** What this is. */
  object: 'marketing_opt_out'
  /** Digits with country code, in one spelling however it was dialled; empty where it is not known. */
  phone: string
  /** Upstream's user id; only of a person whose phone is not known. */
  user_id?: string
  /** What it came from: a call, the person's own control, upstream's refusal, the console, or a word that the person wrote. */
  source: 'api' | 'person' | 'upstream' | 'console' | 'keyword'
  /** Of the source `console`, who of the team it was; told in the console alone. */
  by?: string
  /** When the person opted out. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
}

export interface ListMarketingOptOutsQuery {
  /** How many items a page has. */
  limit?: number
  /** The phone (of a person without one, the user id) of the last item of the page before. */
  starting_after?: string
}

/** That an opt-out is taken back. */
export interface MarketingOptOutDeleted {
  /** It is taken back. */
  deleted: true
  /** Digits with country code, in one spelling however it was dialled; empty where it is not known. */
  phone: string
  /** Upstream's user id; only of a person whose phone is not known. */
  user_id?: string
}

export interface GetUsageQuery {
  /** A calendar month in Brasília time; this month when it is left out. */
  month?: string
}

/** What was sent and received in a month, and what it cost. */
export interface Usage {
  /** What this is. */
  object: 'usage'
  /** The calendar month in Brasília time. */
  month: string
  /** Sends included in the plan. */
  franchise: number
  /** Sends through the API that the platform accepted in the month, less those that failed later. */
  counted: number
  /** What is left of the franchise. */
  remaining: number
  /** What goes beyond it. */
  over_franchise: number
  /** Sends through the API that were asked for in the month, by their status now. */
  sent: {
    /** All of them: the sum of the others. */
    total: number
    /** Those that have not left yet. */
    queued: number
    /** Those that the platform has accepted. */
    sent: number
    /** Those that have reached the phone. */
    delivered: number
    /** Those that were read. */
    read: number
    /** Those that failed. */
    failed: number
  }
  /** Messages that people wrote. */
  received: number
  /** Of those in `counted`, what the platform bills. */
  meta_billable_by_category: {
    [k: string]: number
  }
  /** Of those in `counted`, what the platform does not bill. */
  meta_free_by_category: {
    [k: string]: number
  }
  /** Every day of the month so far: `counted` by the day of sending, `failed` by the day of the failure. */
  by_day: {
    /** The day in Brasília time. */
    date: string
    /** Those of `counted` that were sent on this day. */
    counted: number
    /** Sends that failed on this day. */
    failed: number
  }[]
  /** Why sends failed in the month, the 10 most frequent reasons, the most frequent first. */
  top_errors: {
    /** The platform's code; null: there is none. */
    code: number | null
    /** As it was told of one of the last of them. */
    message: string
    /** How many sends failed with it. */
    count: number
  }[]
}

/** A file that was uploaded once and can be sent any number of times. */
export interface Media {
  /** The id of the file: `med_` and 32 hex characters; usable as `id` in a send. */
  id: string
  /** What this is. */
  object: 'media'
  /** Permanent; usable as `link` in any send of this account. Whoever has it can read the file. */
  url: string
  /** Read from the bytes. */
  mime_type: string
  /** How many bytes it has. */
  size_bytes: number
  /** The `type` of a send that this file fits. */
  suggested_type: 'image' | 'audio' | 'video' | 'document' | 'sticker'
  /** As it was given with the bytes the first time; null: without one. */
  file_name: string | null
}

/** Why a call was not done. */
export interface ErrorEnvelope {
  /** The error. */
  error: {
    /** For programs: which kind of error it is. */
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
    /** For people; its words may change. */
    message: string
    /** What exactly is wrong, where more can be said than `message` does. */
    details?: {
      /** What is wrong, for people. */
      message: string
      /** What is wrong, as a JSON path: contacts[2].name. */
      field?: string
      /** The upstream platform's code, where it has one. */
      code?: string | number
    }[]
    /** The Request-Id of the call. */
    request_id: string
  }
}

/** A person sends a message. What came with a file is told once the file is stored. */
export interface MessageReceivedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.received'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** A person reacts to a message, or takes a reaction back: `emoji` is then empty. */
export interface MessageReactionEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.reaction'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: MessageReaction
}

/** The message that a person reacted to, with the reaction. */
export interface MessageReaction {
  /** The id of the message: `msg_` and 32 hex characters. */
  id: string
  /** What this is. */
  object: 'message'
  /** `inbound`: a person wrote it; `outbound`: the business did. */
  direction: 'inbound' | 'outbound'
  /** The number that it was sent from, or came to. */
  channel_id: string
  /** The person who gets it, or who wrote it. */
  contact: {
    /** Digits with country code, in one spelling however it was dialled; empty for a person known by user id only. */
    phone: string
    /** The name that the person goes by; null: not known. */
    name: string | null
    /** Upstream's user id, present only when known. */
    user_id?: string
  }
  /**
   * What it carries. Contact cards are `contact`; interactive messages and what people choose in them are `text`; `system` is what fits no other.
   */
  type: MessageType
  /** How far it has come: `queued`, `sent`, `delivered`, `read`, or `failed`; `received` for what people write. */
  status: MessageStatus
  /** The words: the text, the caption, or a summary that can be read. Null: it has none, or was deleted for everyone. */
  text: string | null
  /** The file that it carries; null: none, or it was deleted for everyone. */
  media: {
    /** Where the file can be read: permanent, if it is kept here, else the link of the send. */
    url: string
    /** What kind of file it is; null: not known. */
    mime_type: string | null
    /** What the file is called; null: it has no name. */
    file_name: string | null
    /** How many bytes it has; null: not known. */
    size_bytes: number | null
  } | null
  /** The id of the message that it quotes; null: none, or none that is known. */
  reply_to: string | null
  /** The id of the button or row that the person chose; null: none. */
  button_reply_id: string | null
  /** Your own identifier, as the send gave it; null: it gave none. */
  client_reference: string | null
  /**
   * Where it was written: `api`, your integration; `chat`, by a person, in the console or on a phone; `crm` and `ai`, by other programs.
   */
  source: 'api' | 'crm' | 'ai' | 'chat'
  /** The upstream platform's id of the message; null until it is sent. */
  wamid: string | null
  /** How the upstream platform bills it; null until it says so. */
  pricing: {
    /** Marketing, utility, authentication, service …, in lower case; null: not told. */
    category: string | null
    /** Whether it is billed; null: not told. */
    billable: boolean | null
  } | null
  /** Why it failed; null: it did not. */
  error: {
    /** The upstream platform's code; null: there is none. */
    code: number | null
    /** For people; its words may change. */
    message: string
  } | null
  /** When it was accepted, or taken in. */
  created_at: string
  /** When the upstream platform accepted it; null: not yet, or a person wrote it. */
  sent_at: string | null
  /** When it reached the phone; null: not yet. */
  delivered_at: string | null
  /** When the person read it; null: not yet, or they do not tell. */
  read_at: string | null
  /** For received messages, the original object of the platform. */
  meta?: unknown
  /** What the person thinks of it. */
  reaction: {
    /** Empty when the reaction was taken back. */
    emoji: string
    /** The message reacted to, as in `id`. */
    message_id: string
    /** The person who reacted. */
    contact: {
      /** Digits with country code, in one spelling however it was dialled; empty for a person known by user id only. */
      phone: string
      /** The name that the person goes by; null: not known. */
      name: string | null
      /** Upstream's user id, present only when known. */
      user_id?: string
    }
    /** When they did. */
    created_at: string
  }
}

/** A person edits a message; `text` is the new version. */
export interface MessageEditedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.edited'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** A person deletes a message for everyone; `text` and `media` are null. */
export interface MessageDeletedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.deleted'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** The upstream platform has accepted the message. */
export interface MessageSentEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.sent'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** The message has reached the phone. */
export interface MessageDeliveredEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.delivered'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** The person has read the message; told only with read receipts on. */
export interface MessageReadEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.read'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** The message was not delivered; `error.code` is the code of the upstream platform. */
export interface MessageFailedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'message.failed'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: Message
}

/** A template was approved, rejected, paused or disabled. */
export interface TemplateStatusUpdatedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'template.status_updated'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: NoticeData
}

/** The notice of the upstream platform, with the one change that the event tells of. */
export interface NoticeData {
  /** The notice, in the upstream platform's own form. */
  meta: {
    /** `whatsapp_business_account`. */
    object: string
    /**
     * The one entry of the change.
     *
     * @minItems 1
     * @maxItems 1
     */
    entry: {
      /** The WhatsApp Business Account. */
      id: string
      /** When the upstream platform told it, in seconds since 1970. */
      time?: number
      /**
       * The one change.
       *
       * @minItems 1
       * @maxItems 1
       */
      changes: {
        /** What changed, by the name that the platform has for it. */
        field: string
        /** As upstream wrote it; see the platform's documentation. */
        value: unknown
      }[]
    }[]
  }
}

/** The upstream platform changed the category, and so the price, of a template. */
export interface TemplateCategoryUpdatedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'template.category_updated'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: NoticeData
}

/** The quality rating of a template changed. */
export interface TemplateQualityUpdatedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'template.quality_updated'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: NoticeData
}

/** The content of a template changed. */
export interface TemplateComponentsUpdatedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'template.components_updated'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: NoticeData
}

/** Quality, display name or sending limit of a number, or an alert of its account, changed. */
export interface ChannelUpdatedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'channel.updated'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: NoticeData
}

/** A person stops or resumes marketing messages through the messaging app itself. */
export interface ContactMarketingPreferenceUpdatedEvent {
  /** The same at every attempt: discard what comes twice. */
  id: string
  /** What this is. */
  object: 'event'
  /** The kind of the event. */
  type: 'contact.marketing_preference_updated'
  /** The version of the API that this form belongs to. */
  api_version: 'v1'
  /** When it happened. */
  created_at: string
  /** False for what a test key did. */
  livemode: boolean
  data: NoticeData
}
