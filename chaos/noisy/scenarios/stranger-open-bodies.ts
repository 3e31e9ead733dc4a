import { announceBodies } from '../../strangers.ts'
import type { Scenario } from '../scenario.ts'

export const strangerOpenBodies: Scenario = {
  name: 'a stranger announces 320 bodies and sends none',
  resource: 'memory',
  begin: async ({ port }) => announceBodies([port]).end,
}
