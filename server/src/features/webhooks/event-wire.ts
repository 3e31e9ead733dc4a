import { type EventKind, eventKinds, type MessageEventKind } from './event.ts'
import { type EventData, noticeDataSchema, noticeEventData } from './event-notice-data.ts'

type EventWords = { summary: string; when: string }

/** When each kind is told. */
const words: Readonly<Record<EventKind, EventWords>> = {
  'message.received': {
    summary: 'A person has written',
    when: 'A person sends a message. What came with a file is told once the file is stored.',
  },
  'message.reaction': {
    summary: 'A person has reacted',
    when: 'A person reacts to a message, or takes a reaction back: `emoji` is then empty.',
  },
  'message.edited': { summary: 'A person has edited a message', when: 'A person edits a message; `text` is the new version.' },
  'message.deleted': {
    summary: 'A person has deleted a message',
    when: 'A person deletes a message for everyone; `text` and `media` are null.',
  },
  'message.sent': { summary: 'A message was sent', when: 'The upstream platform has accepted the message.' },
  'message.delivered': { summary: 'A message was delivered', when: 'The message has reached the phone.' },
  'message.read': { summary: 'A message was read', when: 'The person has read the message; told only with read receipts on.' },
  'message.failed': {
    summary: 'A message has failed',
    when: 'The message was not delivered; `error.code` is the code of the upstream platform.',
  },
  'template.status_updated': {
    summary: 'A template was decided on',
    when: 'A template was approved, rejected, paused or disabled.',
  },
  'template.category_updated': {
    summary: 'A template has another category',
    when: 'The upstream platform changed the category, and so the price, of a template.',
  },
  'template.quality_updated': { summary: 'A template has another quality', when: 'The quality rating of a template changed.' },
  'template.components_updated': { summary: 'A template has another content', when: 'The content of a template changed.' },
  'channel.updated': {
    summary: 'A number has changed',
    when: 'Quality, display name or sending limit of a number, or an alert of its account, changed.',
  },
  'contact.marketing_preference_updated': {
    summary: 'A person has stopped or resumed marketing',
    when: 'A person stops or resumes marketing messages through the messaging app itself.',
  },
}

const eventId = 'evt_019ac8f0a1b27c3d8e4f5a6b7c8d9e0f'

/**
 * Every event for the document: under `webhooks` one POST for each kind, and as components their envelopes, and `Event`, which is any of
 * them. What the data of message events is, the caller says: messages come later than webhooks.
 */
export function describeEvents(messageData: (kind: MessageEventKind) => EventData): {
  webhooks: Record<string, { post: object }>
  schemas: Record<string, object>
} {
  const dataOf = (kind: EventKind): EventData => (isAboutMessage(kind) ? messageData(kind) : noticeEventData(kind))
  const schemas = eventKinds.map((kind) => [eventComponent(kind), eventSchema(kind, dataOf(kind))] as const)
  const mapping = Object.fromEntries(eventKinds.map((kind) => [kind, reference(kind)]))
  const any = {
    description: 'What is posted to a webhook.',
    oneOf: eventKinds.map((kind) => ({ $ref: reference(kind) })),
    discriminator: { propertyName: 'type', mapping },
  }
  return {
    webhooks: Object.fromEntries(eventKinds.map((kind) => [kind, { post: eventOperation(kind, dataOf(kind)) }])),
    schemas: { ...Object.fromEntries(schemas), Event: any, NoticeData: noticeDataSchema },
  }
}

const isAboutMessage = (kind: EventKind): kind is MessageEventKind => kind.startsWith('message.')

/** `message.sent` → `MessageSentEvent`, the name of its component. */
const eventComponent = (kind: EventKind): string =>
  `${kind.replaceAll(/(?:^|[._])([a-z])/g, (_whole, letter: string) => letter.toUpperCase())}Event`

const reference = (kind: EventKind) => `#/components/schemas/${eventComponent(kind)}`

function eventSchema(kind: EventKind, data: EventData): object {
  return {
    type: 'object',
    description: words[kind].when,
    required: ['id', 'object', 'type', 'api_version', 'created_at', 'livemode', 'data'],
    properties: {
      id: { type: 'string', pattern: '^evt_[0-9a-f]{32}$', description: 'The same at every attempt: discard what comes twice.' },
      object: { type: 'string', const: 'event', description: 'What this is.' },
      type: { type: 'string', const: kind, description: 'The kind of the event.' },
      api_version: { type: 'string', const: 'v1', description: 'The version of the API that this form belongs to.' },
      created_at: { type: 'string', format: 'date-time', description: 'When it happened.' },
      livemode: { type: 'boolean', description: 'False for what a test key did.' },
      data: { $ref: `#/components/schemas/${data.component}`, description: 'What it is about, as it was then.' },
    },
  }
}

const required = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
})

const signature = 't=1795813901,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd'

function eventOperation(kind: EventKind, data: EventData): object {
  return {
    operationId: `on${eventComponent(kind).replace(/Event$/, '')}`,
    summary: words[kind].summary,
    description: words[kind].when,
    tags: ['Events'],
    // The signature stands where a key would.
    security: [],
    parameters: [
      required(
        'Service-Signature',
        '`t=<seconds>,v1=<hex>`: the HMAC-SHA256, keyed with the secret of the webhook, of `<t>.<body>` over the exact bytes. One more `v1` while a previous secret still counts. Refuse what does not match, and a `t` that is more than 300 seconds off.',
        {},
        signature,
      ),
      required('Service-Event-Id', 'The `id` of the event.', { pattern: '^evt_[0-9a-f]{32}$' }, eventId),
      required('Service-Event-Type', 'The `type` of the event.', { const: kind }, kind),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: reference(kind) },
          example: {
            ...{ id: eventId, object: 'event', type: kind, api_version: 'v1', created_at: '2026-11-27T21:11:41.747Z', livemode: true },
            data: data.example,
          },
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'Taken. Only a 2xx within 10 seconds counts, and a redirect is none; otherwise the same bytes come again after 1 minute, 5 minutes, 25 minutes, 2 hours and 10 hours.',
      },
    },
  }
}
