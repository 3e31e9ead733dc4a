/** What the other features and the operator's tool may ask of webhooks. */

/** How much is due, for the gauges, and which webhooks fail. */
export { type DeliveryDepth, deliveryDepth, failingWebhooks, failingWebhooksOf } from './depth-store.ts'
/** The closed list of what can be told, and the form of something to tell. */
export type { MessageEventKind, NewEvent } from './event.ts'
/** Every event as the document shows it. */
export type { EventData } from './event-notice-data.ts'
export { describeEvents } from './event-wire.ts'
/** What was told of a message, and what became of each delivery. */
export { eventsOfSubject, type ToldEvent } from './events-of-subject.ts'
/** Records events with their deliveries in the caller's transaction; call it last there, and wake the lanes it answers after commit. */
export { recordEvents } from './record-event.ts'
/** Registers a webhook and answers its secret, once. */
export { registerWebhook } from './register.ts'
/** Removes a webhook; its pending deliveries become canceled. */
export { removeWebhook } from './remove.ts'
/** All webhooks of an account, newest first. */
export { listWebhooks } from './store.ts'
/** A lane to wake after commit; may be lost. */
export type { DeliveryHint, Webhook } from './webhook.ts'
