import { postUnsignedNotices } from '../../strangers.ts'
import type { Scenario } from '../scenario.ts'

export const strangerUnsignedNotices: Scenario = {
  name: 'a stranger holds 200 unsigned notices of 3 MB open',
  resource: 'memory',
  begin: async ({ port }) => postUnsignedNotices([port]).end,
}
