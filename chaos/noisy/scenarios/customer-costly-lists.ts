import { ask, callers } from '../ask.ts'
import type { Scenario } from '../scenario.ts'

const lists = ['status=failed', 'status=read', 'status=sent', 'source=ai', 'source=crm', 'direction=outbound&status=failed'] as const

export const customerCostlyLists: Scenario = {
  name: 'a customer asks for lists that find little, 10 a second',
  resource: 'pool',
  begin: async ({ port, noisy }) =>
    callers(20, 2_000, (n) => {
      const path = `/v1/messages?limit=100&${lists[n % lists.length]}`
      return ask({ port, path, headers: { authorization: `Bearer ${noisy.key}` } })
    }),
}
