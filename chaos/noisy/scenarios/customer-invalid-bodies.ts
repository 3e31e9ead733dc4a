import { ask, callers } from '../ask.ts'
import type { Scenario } from '../scenario.ts'

const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, 1]))
const body = JSON.stringify({ to: '+5511988770001', type: 'text', text: fields })

export const customerInvalidBodies: Scenario = {
  name: 'a customer sends 10 bodies of 256 KB a second that are not right',
  resource: 'CPU',
  async begin({ port, newcomer }) {
    const { key } = await newcomer()
    return callers(10, 1_000, () => ask({ port, method: 'POST', path: '/v1/messages', headers: { authorization: `Bearer ${key}` }, body }))
  },
}
