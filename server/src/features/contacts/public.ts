/** A person as one account and mode knows them. */
export type { Contact, Recipient } from './contact.ts'
/** Reads how a person is named by a caller, and tells upstream's user ids from everything else. */
export { isUserId, recipientOf, recipientWords } from './contact.ts'
/** What notices and answers teach of people. */
export { learnFromAnswers, meetPeople, type PersonSeen } from './learn.ts'
/** The person behind a recipient, known or made. */
export { createPeople, findPeople } from './resolve.ts'
/** People by id, for showing them. */
export { findContactsById } from './store.ts'
/** The 24-hour window. */
export { lastInboundOf, openWindows } from './window.ts'
