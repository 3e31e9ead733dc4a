// Written by "npm run contract" from contract/console.json: change the routes of the server instead of this file.

export type SignOutRequest = {} | null

export type EndSessionRequest = {} | null

export type EndOtherSessionsRequest = {} | null

export type StartTwoFactorRequest = {
  password?: string
} | null

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

export type MarkMessageReadRequest = {
  /** Also shows for up to 25 seconds, or until your reply goes out, that someone is typing. */
  typing_indicator?: boolean
} | null

export type DeleteTemplateRequest = {} | null

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

export type DeleteWebhookRequest = {} | null

export type UpdateWebhookRequest = {
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
} | null

export type RotateWebhookSecretRequest = {
  /** For how many seconds events carry a signature by the previous secret too. Left out: 0. */
  expire_previous_in?: number
} | null

export type RetryWebhookDeliveryRequest = {} | null

export type TestWebhookRequest = {} | null

export type DeleteMarketingOptOutRequest = {} | null

export type ReadConversationRequest = {} | null

export type ShowTypingRequest = {} | null

export type RetryFileRequest = {} | null

export type RemoveNoteRequest = {} | null

export type DeleteCannedAnswerRequest = {} | null

export type RemoveMemberRequest = {} | null

export type RevokeInvitationRequest = {} | null

export type RevokeApiKeyRequest = {} | null

export type CheckChannelRequest = {} | null

export type DisconnectChannelRequest = {} | null

export type DismissAlertRequest = {} | null

/** What each operation takes, and what it answers when it succeeds. */
export interface Operations {
  /**
   * Sign in with e-mail and password
   *
   * The same answer, after the same time, for an unknown address and a wrong password.
   */
  'POST /sign-in': {
    body: SignInRequest
    answer: SignedIn
  }
  /** Complete a sign-in with a code */
  'POST /sign-in/second-factor': {
    body: SignInSecondFactorRequest
    answer: SignedIn
  }
  /** End the session */
  'POST /sign-out': {
    body: SignOutRequest
    answer: Done
  }
  /**
   * Ask for a one-time link by mail
   *
   * The same answer whether or not somebody has this address.
   */
  'POST /sign-in/link': {
    body: RequestLinkRequest
    answer: LinkRequested
  }
  /**
   * Sign in with a one-time link
   *
   * Spends the link, unless the person has a second factor and gave no code of it.
   */
  'POST /sign-in/link/open': {
    body: OpenLinkRequest
    answer: SignedIn
  }
  /** What this installation can do */
  'GET /facts': {
    answer: Facts
  }
  /** What an invitation is for */
  'POST /invitations/look': {
    body: LookAtInvitationRequest
    answer: InvitationShown
  }
  /**
   * Join an account
   *
   * Somebody new gives a name and a password, and has then signed in. Somebody known must have signed in (401).
   */
  'POST /invitations/accept': {
    body: AcceptInvitationRequest
    answer: Joined
  }
  /** Who has signed in */
  'GET /me': {
    answer: Me
  }
  /** Change name or language */
  'PATCH /me': {
    body: UpdateMeRequest
    answer: Me
  }
  /**
   * Set a password
   *
   * The current one must be given where there is one. All other sessions end.
   */
  'POST /me/password': {
    body: ChangePasswordRequest
    answer: Done
  }
  /** Where one has signed in */
  'GET /me/sessions': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: ConsoleSession[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** End a session */
  'DELETE /me/sessions/{id}': {
    path: {
      id: string
    }
    body: EndSessionRequest
    answer: Done
  }
  /** End all other sessions */
  'POST /me/sessions/end-others': {
    body: EndOtherSessionsRequest
    answer: Done
  }
  /**
   * Set a second factor up
   *
   * It counts once a first code is confirmed. Who has a password gives it.
   */
  'POST /me/two-factor': {
    body: StartTwoFactorRequest
    answer: TwoFactorStarted
  }
  /**
   * Take the second factor away
   *
   * With a code of the app, or a backup code.
   */
  'DELETE /me/two-factor': {
    body: StopTwoFactorRequest
    answer: Done
  }
  /** Confirm the second factor with a first code */
  'POST /me/two-factor/confirm': {
    body: ConfirmTwoFactorRequest
    answer: Done
  }
  /**
   * Send a message
   *
   * The answer comes once the message is stored for good. What becomes of it is told by events. A reaction is answered at once.
   */
  'POST /account/messages': {
    body: SendMessageRequest
    answer: Reaction | Message
  }
  /**
   * List messages
   *
   * Sent and received messages, newest first.
   */
  'GET /account/messages': {
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
   */
  'POST /account/messages/{id}/read': {
    path: {
      /** The id of a received message. */
      id: string
    }
    body: MarkMessageReadRequest
    answer: MarkedAsRead
  }
  /** Fetch one message */
  'GET /account/messages/{id}': {
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
   */
  'GET /account/templates': {
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
   */
  'POST /account/templates': {
    body: CreateTemplateRequest
    answer: SubmittedTemplate
  }
  /**
   * Get a template in all its languages
   *
   * Read from the upstream platform at each call.
   */
  'GET /account/templates/{name}': {
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
   */
  'DELETE /account/templates/{name}': {
    path: {
      /** The exact name of the template. */
      name: string
    }
    query?: DeleteTemplateQuery
    body: DeleteTemplateRequest
    answer: TemplateDeleted
  }
  /**
   * List numbers
   *
   * All numbers of the account, oldest first, as last told by upstream.
   */
  'GET /account/channels': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Channel[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** Connect a number, step by step; a step that fails is told in the answer, and it may be repeated */
  'POST /account/channels': {
    body: ConnectChannelRequest
    answer: {
      object: 'channel_connection'
      /** Null: a step failed and nothing was changed. */
      channel: {
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
        /** Why it cannot send, in upstream's words or ours; null while it is connected. */
        disconnected_because: string | null
        /** Somebody disconnected it here: its token is gone. */
        disconnected_by_hand: boolean
        /** The number also lives in the phone's Business app. */
        on_business_app: boolean
        /** Whether its notices come to our app; null: not known. */
        subscribed: boolean | null
        /** When upstream last said what it is. */
        checked_at: string | null
        /** When a notice about it last came, to the minute; null: never. */
        last_notice_at: string | null
        /** When it was connected first. */
        created_at: string
      } | null
      /** In the order in which they are done. */
      steps: {
        step: 'token' | 'number' | 'waba' | 'subscription' | 'registration' | 'first_notice'
        outcome: 'ok' | 'failed' | 'waiting' | 'not_done'
        reason:
          | 'token_invalid'
          | 'not_reached'
          | 'refused'
          | 'not_in_waba'
          | 'not_subscribed'
          | 'on_business_app'
          | 'not_registered'
          | 'no_token'
          | 'no_answer'
          | null
        /** What happened and what to do, in English, with what upstream said. */
        message: string | null
        /** Upstream's own. */
        code: number | null
      }[]
    }
  }
  /**
   * Register a webhook
   *
   * The answer holds the secret that its deliveries are signed with. It is shown only here: store it.
   */
  'POST /account/webhooks': {
    body: CreateWebhook
    answer: WebhookWithSecret
  }
  /**
   * List webhooks
   *
   * All of the account, newest first.
   */
  'GET /account/webhooks': {
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
   */
  'DELETE /account/webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body: DeleteWebhookRequest
    answer: WebhookDeleted
  }
  /** Get a webhook */
  'GET /account/webhooks/{id}': {
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
   */
  'PATCH /account/webhooks/{id}': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body: UpdateWebhookRequest
    answer: Webhook
  }
  /**
   * Replace the secret
   *
   * The answer holds the new secret, which is shown only here. Every attempt that starts after it is signed with the new one, and while the previous one counts with both, the new one first.
   */
  'POST /account/webhooks/{id}/rotate-secret': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body: RotateWebhookSecretRequest
    answer: WebhookWithSecret
  }
  /**
   * List deliveries
   *
   * The deliveries of a webhook with all their attempts, newest first.
   */
  'GET /account/webhooks/{id}/deliveries': {
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
   */
  'POST /account/webhooks/{id}/deliveries/{delivery_id}/retry': {
    path: {
      /** The id of the webhook. */
      id: string
      /** The id of the delivery. */
      delivery_id: string
    }
    body: RetryWebhookDeliveryRequest
    answer: WebhookDelivery
  }
  /**
   * Retry what has failed
   *
   * Posts the events of all deliveries again that were created since then and have failed, one after the other, beside what is posted anyway. Those of which a retry waits already are not counted again.
   */
  'POST /account/webhooks/{id}/deliveries/retry': {
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
   */
  'POST /account/webhooks/{id}/test': {
    path: {
      /** The id of the webhook. */
      id: string
    }
    body: TestWebhookRequest
    answer: WebhookDelivery
  }
  /**
   * Opt a person out of marketing
   *
   * From now on marketing templates to this person are refused; all else is still sent. 201, or 200 with the record as it was for one who had opted out before.
   */
  'POST /account/marketing-opt-outs': {
    body: CreateMarketingOptOut
    answer: MarketingOptOut
  }
  /**
   * List opt-outs
   *
   * The people who have opted out, in the order of their phones.
   */
  'GET /account/marketing-opt-outs': {
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
   */
  'DELETE /account/marketing-opt-outs/{phone}': {
    path: {
      /** The person, as when the opt-out was made. */
      phone: string
    }
    body: DeleteMarketingOptOutRequest
    answer: MarketingOptOutDeleted
  }
  /**
   * Usage of a month
   *
   * What the account has sent and received in a month, with live keys and real people, up to this moment.
   */
  'GET /account/usage': {
    query?: GetUsageQuery
    answer: Usage
  }
  /**
   * List conversations
   *
   * Those with the newest messages first.
   */
  'GET /account/conversations': {
    query?: ListConversationsQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Conversation[]
      /** Whether another page follows. */
      has_more: boolean
      /** For `starting_after`; null: there are no more. */
      next: string | null
    }
  }
  /** Count open conversations */
  'GET /account/conversations/counts': {
    query?: CountConversationsQuery
    answer: {
      open: number
      mine: number
      unassigned: number
      /** Each is counted up to 1,000, of open conversations. */
      unread: number
    }
  }
  /** Fetch one conversation */
  'GET /account/conversations/{id}': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    answer: Conversation
  }
  /** Assign, label, snooze, close or open a conversation */
  'PATCH /account/conversations/{id}': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    body: ConversationChanges
    answer: Conversation
  }
  /**
   * List the labels in use
   *
   * The most used first, counted over the newest 5,000 conversations that have any.
   */
  'GET /account/labels': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: {
        label: string
        conversations: number
      }[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Look for a person and their conversation over a number
   *
   * 10 or 11 digits without `+` are of the number's own country. Nothing is made: a conversation begins with the first message.
   */
  'GET /account/conversations/with': {
    query: FindConversationQuery
    answer: {
      /** In full, as it will be dialled; empty where only a user id is known. */
      phone: string
      /** What the person calls themselves. */
      name: string | null
      /** Something was said to them or by them before. */
      is_known: boolean
      /** Null: there is none over this number yet. */
      conversation_id: string | null
    }
  }
  /**
   * Search people and messages
   *
   * Without regard to accents and case; of each the 50 newest at most. What was written a moment ago may be missing.
   */
  'GET /account/search': {
    query: SearchQuery
    answer: {
      conversations: Conversation[]
      messages: {
        id: string
        conversation_id: string
        channel_id: string
        contact: {
          name: string | null
          phone: string
        }
        direction: 'inbound' | 'outbound'
        snippet: string
        created_at: string
      }[]
    }
  }
  /**
   * List the messages of a conversation
   *
   * Newest first. Only one of `before`, `after` and `around` may be given; without any, the newest.
   */
  'GET /account/conversations/{id}/messages': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    query?: ListThreadQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: TeamMessage[]
      /** Whether another page follows. */
      has_more: boolean
      /** With `around`: there are newer ones too. */
      has_newer: boolean
    }
  }
  /**
   * Fetch messages by id
   *
   * Those that are not there are left out.
   */
  'GET /account/messages/by-id': {
    query: GetMessagesQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: TeamMessage[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Mark a conversation as read
   *
   * Nothing of it is unread any more, and the person sees two blue ticks; `told` says whether the platform took the latter.
   */
  'POST /account/conversations/{id}/read': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    body: ReadConversationRequest
    answer: {
      unread: number
      told: boolean
    }
  }
  /**
   * Show the person that somebody is typing
   *
   * Within the window, at most every 20 seconds; it also marks what they wrote as read. `shown` says whether it was done.
   */
  'POST /account/conversations/{id}/typing': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    body: ShowTypingRequest
    answer: {
      shown: boolean
    }
  }
  /** Fetch a file again that was given up */
  'POST /account/messages/{id}/file/retry': {
    path: {
      /** The id of the message. */
      id: string
    }
    body: RetryFileRequest
    answer: {
      success: boolean
    }
  }
  /**
   * List the notes of a conversation
   *
   * Newest first.
   */
  'GET /account/conversations/{id}/notes': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    query?: ListNotesQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Note[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** Write a note */
  'POST /account/conversations/{id}/notes': {
    path: {
      /** The id of the conversation. */
      id: string
    }
    body: AddNoteRequest
    answer: Note
  }
  /**
   * Delete a note
   *
   * One’s own; an admin anybody’s.
   */
  'DELETE /account/conversations/{id}/notes/{note_id}': {
    path: {
      /** The id of the conversation. */
      id: string
      note_id: string
    }
    body: RemoveNoteRequest
    answer: {
      deleted: boolean
    }
  }
  /** List canned answers */
  'GET /account/canned-answers': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: CannedAnswer[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** Keep an answer */
  'POST /account/canned-answers': {
    body: CreateCannedAnswerRequest
    answer: CannedAnswer
  }
  /** Change a canned answer */
  'PATCH /account/canned-answers/{id}': {
    path: {
      /** The id of the canned answer. */
      id: string
    }
    body: UpdateCannedAnswerRequest
    answer: CannedAnswer
  }
  /** Delete a canned answer */
  'DELETE /account/canned-answers/{id}': {
    path: {
      /** The id of the canned answer. */
      id: string
    }
    body: DeleteCannedAnswerRequest
    answer: {
      deleted: boolean
    }
  }
  /**
   * Follow what changes
   *
   * Server-sent events. `ready`: from here on all is told. `change`: `{messages, conversations}`, the ids of what is to be fetched anew; what is not there any more is gone. `reset`: too much was missed, fetch all anew. The id of each event is where to go on after a lost connection, by `Last-Event-ID` or `after`. The stream ends after some minutes and is meant to be opened anew.
   */
  'GET /account/live': {
    query?: FollowLiveQuery
    answer: unknown
  }
  /** Who belongs to the account */
  'GET /account/members': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Member[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Change what a member may do
   *
   * Only an owner makes or unmakes owners, and nobody changes their own role.
   */
  'PATCH /account/members/{user_id}': {
    path: {
      user_id: string
    }
    body: ChangeRoleRequest
    answer: Done
  }
  /**
   * Take a member out of the account
   *
   * Needs the right `members:write`, except for oneself. An account keeps at least one owner.
   */
  'DELETE /account/members/{user_id}': {
    path: {
      user_id: string
    }
    body: RemoveMemberRequest
    answer: Done
  }
  /** Invitations that can still be accepted */
  'GET /account/invitations': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: Invitation[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /**
   * Invite somebody
   *
   * Valid for 7 days, once. A newer invitation of the same address replaces an older one.
   */
  'POST /account/invitations': {
    body: CreateInvitationRequest
    answer: InvitationMade
  }
  /** Take an invitation back */
  'DELETE /account/invitations/{id}': {
    path: {
      id: string
    }
    body: RevokeInvitationRequest
    answer: Done
  }
  /**
   * Who did what in the console
   *
   * The newest first.
   */
  'GET /account/audit-log': {
    query?: ListAuditLogQuery
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: AuditEntry[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** All keys, revoked ones too, oldest first */
  'GET /account/api-keys': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: {
        id: string
        object: 'api_key'
        account_id: string
        /** What the team calls it. */
        name: string | null
        /** The last four characters of the key; null: it is older than this. */
        hint: string | null
        livemode: boolean
        /** Null: all of them. */
        scopes:
          | (
              | 'messages:send'
              | 'messages:read'
              | 'media:write'
              | 'templates:read'
              | 'templates:write'
              | 'channels:read'
              | 'webhooks:write'
              | 'opt_outs:write'
              | 'usage:read'
            )[]
          | null
        created_at: string
        /** To the minute; null: never. */
        last_used_at: string | null
        /** Null: it is active. */
        revoked_at: string | null
      }[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** Make a key, which is shown only in this answer */
  'POST /account/api-keys': {
    body: CreateApiKeyRequest
    answer: {
      id: string
      object: 'api_key'
      account_id: string
      /** What the team calls it. */
      name: string | null
      /** The last four characters of the key; null: it is older than this. */
      hint: string | null
      livemode: boolean
      /** Null: all of them. */
      scopes:
        | (
            | 'messages:send'
            | 'messages:read'
            | 'media:write'
            | 'templates:read'
            | 'templates:write'
            | 'channels:read'
            | 'webhooks:write'
            | 'opt_outs:write'
            | 'usage:read'
          )[]
        | null
      created_at: string
      /** To the minute; null: never. */
      last_used_at: string | null
      /** Null: it is active. */
      revoked_at: string | null
      /** Shown only here. */
      key: string
    }
  }
  /** Revoke a key: the next call with it is refused */
  'DELETE /account/api-keys/{id}': {
    path: {
      id: string
    }
    body: RevokeApiKeyRequest
    answer: {
      id: string
      object: 'api_key'
      account_id: string
      /** What the team calls it. */
      name: string | null
      /** The last four characters of the key; null: it is older than this. */
      hint: string | null
      livemode: boolean
      /** Null: all of them. */
      scopes:
        | (
            | 'messages:send'
            | 'messages:read'
            | 'media:write'
            | 'templates:read'
            | 'templates:write'
            | 'channels:read'
            | 'webhooks:write'
            | 'opt_outs:write'
            | 'usage:read'
          )[]
        | null
      created_at: string
      /** To the minute; null: never. */
      last_used_at: string | null
      /** Null: it is active. */
      revoked_at: string | null
    }
  }
  /** Calls of the account’s system in the last 30 days, newest first */
  'GET /account/request-log': {
    query?: ListRequestLogQuery
    answer: {
      object: 'list'
      data: {
        /** The Request-Id of the call. */
        id: string
        object: 'logged_call'
        created_at: string
        key_id: string
        livemode: boolean
        method: string
        /** The pattern of its path. */
        route: string
        status_code: number
        /** The code of the error that it was answered with; null: none, or the call is older than this field. */
        error_code: string | null
        /** The message that it sent, or that its path names; null: none. */
        message_id: string | null
        ms: number
      }[]
      has_more: boolean
      /**
       * The `starting_after` of the next page; null: there is none. A page looks through so many calls at most, and may be short, even empty, where a filter fits few of them.
       */
      next: string | null
    }
  }
  /** All numbers with everything that is known of them, oldest first */
  'GET /account/channels/details': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: {
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
        /** Why it cannot send, in upstream's words or ours; null while it is connected. */
        disconnected_because: string | null
        /** Somebody disconnected it here: its token is gone. */
        disconnected_by_hand: boolean
        /** The number also lives in the phone's Business app. */
        on_business_app: boolean
        /** Whether its notices come to our app; null: not known. */
        subscribed: boolean | null
        /** When upstream last said what it is. */
        checked_at: string | null
        /** When a notice about it last came, to the minute; null: never. */
        last_notice_at: string | null
        /** When it was connected first. */
        created_at: string
      }[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** What must be entered in the app at Meta */
  'GET /account/channels/connection-facts': {
    answer: {
      object: 'connection_facts'
      /** The callback URL to enter in the app at Meta. */
      notices_url: string
      /** The verify token to enter with it; null: this gateway has none. */
      verify_token: string | null
      /** The Meta app that must be used; null: any. */
      app_id: string | null
    }
  }
  /** Give a number another token, which is tried first: the number is connected again with it */
  'POST /account/channels/{id}/token': {
    path: {
      id: string
    }
    body: SetChannelTokenRequest
    answer: {
      object: 'channel_connection'
      /** Null: a step failed and nothing was changed. */
      channel: {
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
        /** Why it cannot send, in upstream's words or ours; null while it is connected. */
        disconnected_because: string | null
        /** Somebody disconnected it here: its token is gone. */
        disconnected_by_hand: boolean
        /** The number also lives in the phone's Business app. */
        on_business_app: boolean
        /** Whether its notices come to our app; null: not known. */
        subscribed: boolean | null
        /** When upstream last said what it is. */
        checked_at: string | null
        /** When a notice about it last came, to the minute; null: never. */
        last_notice_at: string | null
        /** When it was connected first. */
        created_at: string
      } | null
      /** In the order in which they are done. */
      steps: {
        step: 'token' | 'number' | 'waba' | 'subscription' | 'registration' | 'first_notice'
        outcome: 'ok' | 'failed' | 'waiting' | 'not_done'
        reason:
          | 'token_invalid'
          | 'not_reached'
          | 'refused'
          | 'not_in_waba'
          | 'not_subscribed'
          | 'on_business_app'
          | 'not_registered'
          | 'no_token'
          | 'no_answer'
          | null
        /** What happened and what to do, in English, with what upstream said. */
        message: string | null
        /** Upstream's own. */
        code: number | null
      }[]
    }
  }
  /** Ask upstream now how the number is, step by step */
  'POST /account/channels/{id}/check': {
    path: {
      id: string
    }
    body: CheckChannelRequest
    answer: {
      object: 'channel_connection'
      /** Null: a step failed and nothing was changed. */
      channel: {
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
        /** Why it cannot send, in upstream's words or ours; null while it is connected. */
        disconnected_because: string | null
        /** Somebody disconnected it here: its token is gone. */
        disconnected_by_hand: boolean
        /** The number also lives in the phone's Business app. */
        on_business_app: boolean
        /** Whether its notices come to our app; null: not known. */
        subscribed: boolean | null
        /** When upstream last said what it is. */
        checked_at: string | null
        /** When a notice about it last came, to the minute; null: never. */
        last_notice_at: string | null
        /** When it was connected first. */
        created_at: string
      } | null
      /** In the order in which they are done. */
      steps: {
        step: 'token' | 'number' | 'waba' | 'subscription' | 'registration' | 'first_notice'
        outcome: 'ok' | 'failed' | 'waiting' | 'not_done'
        reason:
          | 'token_invalid'
          | 'not_reached'
          | 'refused'
          | 'not_in_waba'
          | 'not_subscribed'
          | 'on_business_app'
          | 'not_registered'
          | 'no_token'
          | 'no_answer'
          | null
        /** What happened and what to do, in English, with what upstream said. */
        message: string | null
        /** Upstream's own. */
        code: number | null
      }[]
    }
  }
  /** Forget the token of a number: nothing is sent by it until it is connected again */
  'DELETE /account/channels/{id}': {
    path: {
      id: string
    }
    body: DisconnectChannelRequest
    answer: {
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
      /** Why it cannot send, in upstream's words or ours; null while it is connected. */
      disconnected_because: string | null
      /** Somebody disconnected it here: its token is gone. */
      disconnected_by_hand: boolean
      /** The number also lives in the phone's Business app. */
      on_business_app: boolean
      /** Whether its notices come to our app; null: not known. */
      subscribed: boolean | null
      /** When upstream last said what it is. */
      checked_at: string | null
      /** When a notice about it last came, to the minute; null: never. */
      last_notice_at: string | null
      /** When it was connected first. */
      created_at: string
    }
  }
  /** The whole course of a message, and why it did not arrive */
  'GET /account/messages/{id}/timeline': {
    path: {
      id: string
    }
    answer: {
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
      /** In the order in which they happened. */
      entries: (
        | {
            kind: 'accepted'
            at: string
            /** Through what it was sent: api, chat, crm, ai. */
            source: string
            client_reference: string | null
          }
        | {
            kind: 'received'
            at: string
            source: string
          }
        | {
            kind: 'queued'
            at: string
            /** When it left; null: it waits. */
            until: string | null
            waiting_because:
              'account_suspended' | 'channel_not_connected' | 'upstream_asked_to_wait' | 'pace' | 'being_sent' | 'unknown_outcome' | null
            /** How many of its number wait before it, 1,000 at most. */
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
            error: {
              code: number | null
              message: string
            } | null
          }
        | {
            kind: 'file'
            at: string
            state: 'fetching' | 'given_up'
            tries: number
            next_try_at: string | null
          }
        | {
            kind: 'edited'
            at: string
          }
        | {
            kind: 'deleted'
            at: string
          }
        | {
            kind: 'event'
            at: string
            id: string
            type: string
            deliveries: {
              id: string
              webhook_id: string
              /** Without `webhooks:write` its origin only: the rest may hold a token. Null: the webhook was removed. */
              url: string | null
              status: 'pending' | 'succeeded' | 'failed' | 'canceled'
              next_attempt_at: string | null
              attempts: {
                number: number
                manual: boolean
                at: string
                ms: number
                status_code: number | null
                error: string | null
              }[]
            }[]
          }
      )[]
    }
  }
  /** Find a message by the platform's id of it */
  'GET /account/messages/by-wamid': {
    query: FindMessageByWamidQuery
    answer: {
      /** Ours. */
      id: string
    }
  }
  /** What the team sent in a month */
  'GET /account/usage/team': {
    query?: GetTeamUsageQuery
    answer: TeamUsage
  }
  /** The months that have figures, newest first */
  'GET /account/usage/months': {
    answer: {
      object: 'list'
      /** Items: A calendar month in Brasília time. */
      data: string[]
      has_more: boolean
    }
  }
  /** The webhooks whose last attempt failed; those that are not named answer, or were never tried */
  'GET /account/webhooks/health': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: {
        object: 'webhook_health'
        webhook_id: string
        /** When the attempts that fail began. */
        failing_since: string
      }[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** What is wrong now and what was in the last 30 days, newest first */
  'GET /account/alerts': {
    answer: {
      /** What this is. */
      object: 'list'
      /** The items of this page, in the order of the list. */
      data: {
        id: string
        object: 'alert'
        kind: 'channel_token_lost' | 'channel_quality_low' | 'webhook_failing' | 'queue_old'
        subject: {
          type: 'channel' | 'webhook' | 'account'
          /** Null: the account itself. */
          id: string | null
        }
        opened_at: string
        /** Null: it is wrong still. */
        closed_at: string | null
        /** When somebody had seen enough of it. */
        dismissed_at: string | null
        /** When the owners were told by mail; null: they were not. */
        mailed_at: string | null
      }[]
      /** Whether another page follows. */
      has_more: boolean
    }
  }
  /** Do not show an alert any more; a new episode opens another one */
  'POST /account/alerts/{id}/dismiss': {
    path: {
      id: string
    }
    body: DismissAlertRequest
    answer: {
      id: string
      object: 'alert'
      kind: 'channel_token_lost' | 'channel_quality_low' | 'webhook_failing' | 'queue_old'
      subject: {
        type: 'channel' | 'webhook' | 'account'
        /** Null: the account itself. */
        id: string | null
      }
      opened_at: string
      /** Null: it is wrong still. */
      closed_at: string | null
      /** When somebody had seen enough of it. */
      dismissed_at: string | null
      /** When the owners were told by mail; null: they were not. */
      mailed_at: string | null
    }
  }
  /** How the account is doing now */
  'GET /account/overview': {
    answer: {
      object: 'overview'
      /** Live messages only, in test mode too. */
      today: {
        /** The day in Brasília time. */
        day: string
        /** Sends through the API that were asked for today, by their status now, as in the usage of the month. */
        sent: {
          total: number
          queued: number
          sent: number
          delivered: number
          read: number
          failed: number
        }
        /** The same of what the team sent from the console and the phone. */
        sent_by_team: {
          total: number
          queued: number
          sent: number
          delivered: number
          read: number
          failed: number
        }
        received: number
      }
      queue: {
        /** Sends of this mode that have not left, 10,000 at most. */
        waiting: number
        /** When the oldest was accepted. */
        oldest_at: string | null
      }
      channels: {
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
        /** Why it cannot send, in upstream's words or ours; null while it is connected. */
        disconnected_because: string | null
        /** Somebody disconnected it here: its token is gone. */
        disconnected_by_hand: boolean
        /** The number also lives in the phone's Business app. */
        on_business_app: boolean
        /** Whether its notices come to our app; null: not known. */
        subscribed: boolean | null
        /** When upstream last said what it is. */
        checked_at: string | null
        /** When a notice about it last came, to the minute; null: never. */
        last_notice_at: string | null
        /** When it was connected first. */
        created_at: string
      }[]
      failing_webhooks: {
        id: string
        failing_since: string
      }[]
      /** None for a role that may not see alerts. */
      open_alerts: {
        id: string
        object: 'alert'
        kind: 'channel_token_lost' | 'channel_quality_low' | 'webhook_failing' | 'queue_old'
        subject: {
          type: 'channel' | 'webhook' | 'account'
          /** Null: the account itself. */
          id: string | null
        }
        opened_at: string
        /** Null: it is wrong still. */
        closed_at: string | null
        /** When somebody had seen enough of it. */
        dismissed_at: string | null
        /** When the owners were told by mail; null: they were not. */
        mailed_at: string | null
      }[]
    }
  }
  /**
   * Upload a file
   *
   * Upload once, send any number of times: the url is permanent. The same bytes again answer the same file, and do not count as new. At most 30 uploads a minute for each key, and 1 GB of new files a day for each account.
   */
  'POST /account/media': {
    answer: Media
  }
  /** Upload the sample of a header, and get the handle that a template names it by */
  'POST /account/templates/samples': {
    query?: UploadTemplateSampleQuery
    answer: {
      handle: string
    }
  }
}

export interface SignInRequest {
  email: string
  password: string
}

export interface SignedIn {
  /** Nobody has signed in yet: a code of the second factor is asked for. */
  second_factor: boolean
}

export interface SignInSecondFactorRequest {
  /** Six digits of the app, or a backup code. */
  code: string
  is_backup?: boolean
  trust_device?: boolean
}

export interface Done {
  done: true
}

export interface RequestLinkRequest {
  email: string
}

export interface LinkRequested {
  /** Whether mail is set up at all; without it the operator hands links over. */
  mailed: boolean
}

export interface OpenLinkRequest {
  token: string
  /** Six digits of the app, or a backup code. */
  code?: string
}

export interface Facts {
  /** Whether mail is set up. */
  mail: boolean
}

export interface LookAtInvitationRequest {
  token: string
}

export interface InvitationShown {
  account_name: string
  email: string
  role: 'owner' | 'admin' | 'agent' | 'viewer'
  /** Somebody with this address signs in here already, and must sign in to accept. */
  is_known: boolean
}

export interface AcceptInvitationRequest {
  token: string
  name?: string
  password?: string
}

export interface Joined {
  account_id: string
}

export interface Me {
  user: ConsoleUser
  accounts: {
    id: string
    name: string
    role: 'owner' | 'admin' | 'agent' | 'viewer'
    /** What the role may do; null: everything. */
    scopes: string[] | null
    suspended: boolean
  }[]
}

export interface ConsoleUser {
  id: string
  object: 'user'
  email: string
  name: string
  language: ('pt-BR' | 'en') | null
  two_factor: boolean
  has_password: boolean
}

export interface UpdateMeRequest {
  name?: string
  language?: 'pt-BR' | 'en'
}

export interface ChangePasswordRequest {
  current_password?: string
  new_password: string
}

export interface ConsoleSession {
  id: string
  object: 'session'
  created_at: string
  /** To the hour. */
  last_seen_at: string
  expires_at: string
  user_agent: string
  /** Of a network of IPv6, its first 64 bits. */
  address: string
  /** The session that asks. */
  is_current: boolean
}

export interface TwoFactorStarted {
  /** For the QR code that an authenticator app reads. */
  totp_uri: string
  /** The same by hand, in Base32. */
  secret: string
  /** Each stands in for a code of the app once. Shown only now. */
  backup_codes: string[]
}

export interface StopTwoFactorRequest {
  /** Six digits of the app, or a backup code. */
  code: string
}

export interface ConfirmTwoFactorRequest {
  /** Six digits of the app, or a backup code. */
  code: string
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
  /** Only messages of this origin. */
  source?: 'api' | 'crm' | 'ai' | 'chat'
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

export interface ConnectChannelRequest {
  phone_number_id: string
  waba_id: string
  /** Never shown again. */
  token: string
  /** Six digits: the number is also registered. */
  pin?: string | null
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

export interface ListConversationsQuery {
  /** How many items a page has. */
  limit?: number
  /** `next` of the page before. */
  starting_after?: string
  /** Left out: open. */
  state?: 'open' | 'closed' | 'snoozed' | 'all'
  /** `me`, `none`, or the id of a member (usr_…). */
  assignee?: string
  /** Only over this number. */
  channel_id?: string
  label?: string
  /** True: only those that somebody has to read. */
  unread?: boolean
}

/** What a person and the team say to each other over one number. */
export interface Conversation {
  id: string
  object: 'conversation'
  channel_id: string
  contact: {
    id: string
    name: string | null
    phone: string
    user_id?: string
  }
  /** The newest message; null: nothing was said yet. */
  last_message: {
    id: string
    direction: 'inbound' | 'outbound'
    type: string
    /** Its first 200 characters. */
    text: string | null
    status: string
    source: string
    created_at: string
    deleted: boolean
  } | null
  /** Messages of the person that nobody has read; 100 stands for more. */
  unread: number
  state: 'open' | 'closed'
  /** Of an open one: not shown among the open ones until then. */
  snoozed_until: string | null
  assignee: {
    id: string
    name: string | null
  } | null
  labels: string[]
  /** Until then texts may be sent; null: only templates. */
  window_expires_at: string | null
  /** The person wants no marketing. */
  opted_out: boolean
  last_at: string
}

export interface CountConversationsQuery {
  /** Whose are counted as `mine` (usr_…). Left out: of who asks. */
  assignee?: string
}

export interface ConversationChanges {
  state?: 'open' | 'closed'
  /** A member of the account (usr_…), or null. */
  assignee?: string | null
  /** A time ahead, which opens it too; null: not any more. */
  snoozed_until?: string | null
  /**
   * All labels that it has from now on.
   *
   * @maxItems 20
   */
  labels?: string[]
}

export interface FindConversationQuery {
  /** One of our numbers. */
  channel_id: string
  /** A phone as people write it, or a user id. */
  to: string
}

export interface SearchQuery {
  /** Part of a name, of a phone, or of what was said. */
  q: string
}

export interface ListThreadQuery {
  /** How many items a page has. */
  limit?: number
  /** Only older ones than this message. */
  before?: string
  /** Only newer ones than this message: those that follow it at once. */
  after?: string
  /** This message and those on both sides of it. */
  around?: string
}

/** One message in either direction, as the team sees it. */
export interface TeamMessage {
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
  /** What the caller or the platform called it, where `type` is coarser; `placeholder`: only what was done to it is known. */
  kind: string
  /** Of a sent message: what went to the platform. Of a received one see `meta`. */
  content: {
    [k: string]: unknown
  } | null
  /** The quoted message, as far as it is one of ours. */
  quoted: {
    id: string
    direction: string
    type: string
    text: string | null
  } | null
  reactions: {
    emoji: string
    by: 'contact' | 'us'
    created_at: string
  }[]
  edited_at: string | null
  deleted_at: string | null
  failed_at: string | null
  /** It may or may not have been sent. */
  outcome_unknown: boolean
  /** The member of the team who wrote it. */
  author: {
    id: string
    name: string | null
  } | null
  /** Of a file that is still with the platform. */
  file_state: 'fetching' | 'failed' | null
}

export interface GetMessagesQuery {
  /** Up to 100 ids (msg_…), separated by commas. */
  ids: string
}

export interface ListNotesQuery {
  /** How many items a page has. */
  limit?: number
  /** The id of the last note of the page before. */
  starting_after?: string
}

/** What the team tells itself of a conversation. */
export interface Note {
  id: string
  object: 'note'
  author: {
    id: string
    name: string | null
  }
  text: string
  created_at: string
}

export interface AddNoteRequest {
  text: string
}

/** An answer that is given often, by a short name. */
export interface CannedAnswer {
  id: string
  object: 'canned_answer'
  shortcut: string
  text: string
}

export interface CreateCannedAnswerRequest {
  shortcut: string
  text: string
}

export interface UpdateCannedAnswerRequest {
  shortcut?: string
  text?: string
}

export interface FollowLiveQuery {
  /** The id of the last event that was seen. */
  after?: string
  /** Instead of the header `pombo-mode`. */
  mode?: 'live' | 'test'
}

export interface Member {
  user_id: string
  object: 'member'
  email: string
  name: string
  role: 'owner' | 'admin' | 'agent' | 'viewer'
  two_factor: boolean
  created_at: string
}

export interface ChangeRoleRequest {
  role: 'owner' | 'admin' | 'agent' | 'viewer'
}

export interface Invitation {
  id: string
  object: 'invitation'
  email: string
  role: 'owner' | 'admin' | 'agent' | 'viewer'
  /** A user; null: the operator. */
  invited_by: string | null
  created_at: string
  expires_at: string
}

export interface CreateInvitationRequest {
  email: string
  role: 'owner' | 'admin' | 'agent' | 'viewer'
}

export interface InvitationMade {
  invitation: Invitation
  /** Whoever has it may accept the invitation. Shown only now, and only where it was not mailed. */
  link: string | null
  /** Whether it was mailed to the address. */
  mailed: boolean
}

export interface ListAuditLogQuery {
  /** How many items a page has. */
  limit?: number
  /** The id of the last item of the page before. */
  starting_after?: string
}

export interface AuditEntry {
  id: string
  object: 'audit_entry'
  at: string
  user: {
    id: string
    email: string | null
    /** As they are called today; null: no longer known. */
    name: string | null
  }
  /** What was called, such as revokeApiKey. */
  operation: string
  /** The ids in its path. */
  targets: {
    [k: string]: string
  }
  /** The network address. */
  address: string
  /** True: it was tried and did not come about. */
  failed: boolean
  /** The names that it was about, as they were then. */
  about: {
    [k: string]: string
  }
}

export interface CreateApiKeyRequest {
  name: string
  /** False: a test key, which sends nothing. */
  livemode: boolean
  /**
   * What it may do; null: everything.
   *
   * @minItems 1
   */
  scopes:
    | (
        | 'messages:send'
        | 'messages:read'
        | 'media:write'
        | 'templates:read'
        | 'templates:write'
        | 'channels:read'
        | 'webhooks:write'
        | 'opt_outs:write'
        | 'usage:read'
      )[]
    | null
}

export interface ListRequestLogQuery {
  /** How many items a page has. */
  limit?: number
  /** The id of the last item of the page before. */
  starting_after?: string
  status?: '2xx' | '4xx' | '5xx'
  key_id?: string
  /** As the log shows it: /v1/messages/:id. */
  route?: string
}

export interface SetChannelTokenRequest {
  /** Never shown again. */
  token: string
}

export interface FindMessageByWamidQuery {
  wamid: string
}

export interface GetTeamUsageQuery {
  /** A calendar month in Brasília time; this month when it is left out. */
  month?: string
}

/** The same figures as of `Usage`, of what the team sent from the console and the phone. */
export interface TeamUsage {
  object: 'team_usage'
  /** The calendar month in Brasília time. */
  month: string
  /** Sends through the API that the platform accepted in the month, less those that failed later. */
  counted: number
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

export interface UploadTemplateSampleQuery {
  /** A number of the business account that is meant. */
  channel_id?: string
}
