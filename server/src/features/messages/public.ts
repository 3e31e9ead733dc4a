/** What later features and the composition root may use of messages. */

/** Forgets answers whose 24 hours are over. */
export { dropExpiredAnswers } from './accept-store.ts'
/** Takes status notices in. */
export { applyStatuses } from './apply-status.ts'
/** How much waits to be sent, for the gauges and of an account. */
export { oldQueues, queueOf, type SendDepth, sendDepth } from './depth-store.ts'
/** What the document says about the data of message events. */
export { messageEventData, messageEventSchemas } from './event-data.ts'
/** The feed of everything that happens to messages. */
export { type FeedChange, recordChanges } from './feed.ts'
export {
  comparePlaces,
  endOfFeed,
  type FeedPlace,
  type FeedRow,
  firstChangeAfter,
  readChanges,
  readChangesBetween,
  readChangesOf,
} from './feed-store.ts'
/** What notices tell of people and their messages. */
export type { InboundNotice, MessageAct, Opening } from './inbound.ts'
export { isKnownKind, kindOf, readContent } from './inbound-content.ts'
/** Shows a person that their message was read, or that somebody is writing. */
export { markRead } from './mark-read.ts'
/** A message's upstream id and price, as notices name them. */
export type { Pricing, Wamid } from './message.ts'
export type { StatusNotice, UpstreamStatus } from './move.ts'
/** Statuses of messages that were not known: taken up again, or dropped after 24 hours. */
export { anyParked, beforeAllParked, dropParked, lookThroughParked, takeUnparked } from './parked-status.ts'
/** Partitions of the past, which must be there before a history is imported. */
export { lacksPartitions, makePartitionsFor } from './past-partitions.ts'
/** Reactions, which upstream is asked for at once. */
export { createReactor } from './react.ts'
/** Takes in what people did. */
export { receiveMessages } from './receive.ts'
/** Whether a message has a file. */
export { isFileReferred } from './release-files.ts'
/** A file that was given up. */
export { retryFile } from './retry-file.ts'
/** Accepts sends, those of concurrent callers in one transaction. */
export { createSender } from './sender.ts'
/** What the simulated upstream of test keys will tell. */
export type { SimulatedNotice } from './simulate.ts'
/** Messages as the team's inbox reads them. */
export { cut, type NamesOf, TeamMessageSchema, teamMessages } from './team-message.ts'
/** What test keys do, in words. */
export { testModeText } from './test-mode.ts'
export {
  countInboundAfter,
  findMessageFacts,
  findMessages,
  findMessageWords,
  lastUuid,
  listThreadAfter,
  listThreadBefore,
  type MessageFact,
  newestInbound,
  sweepMessages,
} from './thread-store.ts'
