/** What the other features and the operator's tool may ask of webhooks. */

/** The closed list of what can be told. */
export type { EventKind, NewEvent } from './event.ts'
/** Records events with their deliveries in the caller's transaction; call it last there, and wake the lanes it answers after commit. */
export { recordEvents } from './record-event.ts'
/** A lane to wake after commit; may be lost. */
export type { DeliveryHint } from './webhook.ts'
