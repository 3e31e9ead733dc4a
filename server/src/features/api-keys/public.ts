/** What the composition root, other features and the operator's tool may use of keys. */
export { issueKey } from './issue.ts'
export { isScope, type Scope, scopes } from './key.ts'
export { revokeKeyOfAnybody } from './revoke.ts'
export { testKeyOperations } from './rules.ts'
export { listKeys } from './store.ts'
export { createKeyVerifier } from './verify.ts'
export { apiKeyJson } from './wire.ts'
