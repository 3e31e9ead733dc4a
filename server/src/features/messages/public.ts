/** Takes status notices in. */

/** Forgets answers whose 24 hours are over. */
export { dropExpiredAnswers } from './accept-store.ts'
export { applyStatuses, type StatusNotice } from './apply-status.ts'
/** One message, for the operator's tool. */
export { readMessage } from './list.ts'
/** A message's upstream id and types, as notices name them. */
export type { MessageType, Pricing, Wamid } from './message.ts'
export type { UpstreamStatus } from './move.ts'
/** Statuses of messages that were not known: taken up again, or dropped after 24 hours. */
export { dropParked, takeUnparked } from './parked-status.ts'
/** Takes in what people sent. */
export { type InboundNotice, receiveMessages } from './receive.ts'
/** What the simulated upstream of test keys will tell. */
export type { SimulatedNotice } from './simulate.ts'
