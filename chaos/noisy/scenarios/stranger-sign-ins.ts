import { ask, callers, strangersAddress } from '../ask.ts'
import type { Scenario } from '../scenario.ts'

export const strangerSignIns: Scenario = {
  name: 'a stranger tries to sign in, 16 at a time',
  resource: 'sign-in',
  begin: async ({ port }) =>
    callers(16, 50, (n) => {
      const body = JSON.stringify({ email: `stranger${n}@example.com`, password: 'not the right one' })
      const headers = { origin: `http://127.0.0.1:${port}` }
      return ask({ port, method: 'POST', path: '/console/api/sign-in', from: strangersAddress, headers, body })
    }),
}
