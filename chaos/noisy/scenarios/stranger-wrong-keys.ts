import { randomBytes } from 'node:crypto'
import { ask, callers, strangersAddress } from '../ask.ts'
import type { Scenario } from '../scenario.ts'

/** Well formed, so that only a look into the database tells that nobody has it: the shape of a key that somebody has. */
const wrongKey = (key: string) => key.slice(0, -20) + randomBytes(10).toString('hex')

export const strangerWrongKeys: Scenario = {
  name: 'a stranger tries keys, 32 at a time',
  resource: 'pool',
  begin: async ({ port, noisy }) =>
    callers(32, 50, () =>
      ask({ port, path: '/v1/messages', from: strangersAddress, headers: { authorization: `Bearer ${wrongKey(noisy.key)}` } }),
    ),
}
