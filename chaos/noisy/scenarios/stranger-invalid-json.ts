import { ask, callers, strangersAddress } from '../ask.ts'
import type { Scenario } from '../scenario.ts'

/** Close to 256 KB of fields that nobody knows. */
const body = JSON.stringify(Object.fromEntries(Array.from({ length: 24_000 }, (_, i) => [`f${i}`, 1])))

export const strangerInvalidJson: Scenario = {
  name: 'a stranger signs in with 24,000 unknown fields',
  resource: 'CPU',
  begin: async ({ port }) =>
    callers(4, 100, () => {
      const headers = { origin: `http://127.0.0.1:${port}` }
      return ask({ port, method: 'POST', path: '/console/api/sign-in', from: strangersAddress, headers, body })
    }),
}
