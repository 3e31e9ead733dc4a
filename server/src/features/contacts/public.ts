/** A person as one account and mode knows them, and how they are named. */
export type { Contact, Recipient } from './contact.ts'
/** All ids under which something of a person may be written: for whoever reads what is kept by contact. */
/** Reads how a person is named by a caller, and tells upstream's user ids from everything else. */
export { idsOf, isUserId, newRecipientOf, recipientOf, recipientOfTeam, recipientWords } from './contact.ts'
/** What those who keep something by contact do when people are joined, or have another phone; `meetPeople` and its like want it. */
export type { PersonChange } from './identify.ts'
/** Until commit no two people of an account become one; for whoever writes what is kept by contact. */
export { holdPeople } from './key-store.ts'
/** What notices and answers teach of people. */
export { learnFromAnswers, meetPeople, type PersonSeen } from './learn.ts'
/** People who have another number or user id. */
export { movePeople, type PersonMove } from './move-people.ts'
/** The person behind a recipient, known or made. */
export { createPeople, findPeople } from './resolve.ts'
/** People by id, for showing them; whoever was joined to another is answered as that one. */
export { findContactsById } from './store.ts'
/** The 24-hour window. */
export { lastInboundOf, openWindows } from './window.ts'
