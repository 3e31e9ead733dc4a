/** What other features and the operator's tool may use of accounts. */
export type { Account } from './account.ts'
export { resumeAccount, setOptOutWords, suspendAccount } from './change.ts'
export { createAccount } from './create.ts'
export { setPlan } from './set-plan.ts'
export { findAccount, findAccounts, franchiseOf, listAccounts, lockAccount, optOutWordsAmong, suspendedAmong } from './store.ts'
export { accountJson, planJson } from './wire.ts'
