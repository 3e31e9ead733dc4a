import { dripHeaders } from '../../strangers.ts'
import type { Scenario } from '../scenario.ts'

export const strangerSlowHeaders: Scenario = {
  name: 'a stranger drips the headers of 256 calls',
  resource: 'memory',
  begin: async ({ port }) => dripHeaders([port]).end,
}
