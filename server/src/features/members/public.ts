/** What the wiring and the operator's tool may use of members. */
export { addMember, listMembers, removeMemberByEmail } from './account-members.ts'
export { logAction } from './audit.ts'
export { createErrands } from './errands.ts'
export { makeOperatorsLink } from './link.ts'
export { createAuthLoader } from './load-auth.ts'
export { createSessionReader, membershipOf } from './read-session.ts'
export { dropExpiredSignIns } from './tidy.ts'
export { memberJson } from './wire.ts'
