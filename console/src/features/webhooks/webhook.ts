import type { Answer } from '../../api/client.ts'

export type Webhook = Answer<'GET /account/webhooks'>['data'][number]
/** A webhook as it is shown once, with its secret. */
export type WebhookWithSecret = Answer<'POST /account/webhooks'>
export type Delivery = Answer<'GET /account/webhooks/{id}/deliveries'>['data'][number]
export type Attempt = Delivery['attempts'][number]
export type EventType = Delivery['event_type']
export type DeliveryStatus = Delivery['status']

/** The kinds of events, in the groups in which they are offered. */
export const eventGroups = [
  { name: 'received', events: ['message.received', 'message.reaction', 'message.edited', 'message.deleted'] },
  { name: 'sent', events: ['message.sent', 'message.delivered', 'message.read', 'message.failed'] },
  {
    name: 'templates',
    events: ['template.status_updated', 'template.category_updated', 'template.quality_updated', 'template.components_updated'],
  },
  { name: 'account', events: ['channel.updated', 'contact.marketing_preference_updated'] },
] as const satisfies readonly { name: string; events: readonly EventType[] }[]

export const eventTypes: readonly EventType[] = eventGroups.flatMap(({ events }): readonly EventType[] => events)

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const satisfies readonly DeliveryStatus[]

/** What a webhook asks to be told of. */
export const wantedOf = ({ events }: Webhook): (EventType | '*')[] =>
  (['*', ...eventTypes] as const).filter((each) => events.includes(each))

/** The name of an event's words: a dot would be read as a step into a group. */
export const wordOf = (event: string) => event.replace('.', '_')
