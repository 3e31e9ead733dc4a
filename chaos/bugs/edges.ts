import type { PlantedBug } from './planted-bug.ts'

/** What lets somebody in, or us out, who must not pass. */
export const edgeBugs: readonly PlantedBug[] = [
  {
    name: 'redirect-followed',
    breaks: 'I16: no connection to an address that was not checked',
    file: 'server/src/platform/fetch/post-to-stranger.ts',
    find: 'await pool.request(',
    replace: "await pool.compose((await import('undici')).interceptors.redirect({ maxRedirections: 3 })).request(",
    caughtBy: ['server/src/platform/fetch/post-to-stranger.test.ts'],
  },
  {
    name: 'mixed-answer-let-through',
    breaks: 'I16: every address of a name must be allowed',
    file: 'server/src/platform/fetch/stranger-connector.ts',
    find: 'found.some(({ address }) => deps.blocked(address))',
    replace: 'found.every(({ address }) => deps.blocked(address))',
    caughtBy: ['server/src/platform/fetch/post-to-blocked.test.ts'],
  },
  {
    name: 'literal-not-checked',
    breaks: 'I16: a forbidden address in the URL itself is not connected to',
    file: 'server/src/platform/fetch/stranger-connector.ts',
    find: "if (deps.blocked(host)) return done(new StrangerFailure('blocked'), null)",
    replace: '',
    caughtBy: ['server/src/platform/fetch/stranger-connector.test.ts'],
  },
  {
    name: 'revoked-key-remembered',
    breaks: 'rule authentication 5: a revoked key is refused by the very next call',
    file: 'server/src/features/api-keys/verify.ts',
    find: 'cache: false',
    replace: "cacheKeyFn: (hash) => hash.toString('hex')",
    caughtBy: ['server/src/features/api-keys/keys.test.ts'],
  },
  {
    name: 'one-call-too-many',
    breaks: 'I14: no more calls than the limit in a window',
    file: 'server/src/platform/http/rate-window.ts',
    find: 'admitted: used <= limit',
    replace: 'admitted: used - 1 <= limit',
    caughtBy: ['server/src/platform/http/rate-limit.test.ts'],
  },
]
