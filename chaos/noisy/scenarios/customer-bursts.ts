import { ask, callers } from '../ask.ts'
import { forgetQueue } from '../forget-queue.ts'
import type { Scenario } from '../scenario.ts'

const callersAtOnce = 100

export const customerBursts: Scenario = {
  name: 'a customer sends 100 at once, again and again',
  resource: 'CPU',
  async begin(town) {
    const { port } = town
    const noisy = await town.newcomer()
    const end = callers(callersAtOnce, 1_000, (n) => {
      const body = JSON.stringify({ to: noisy.people[n % noisy.people.length], type: 'text', text: { body: 'a'.repeat(4_000) } })
      return ask({ port, method: 'POST', path: '/v1/messages', headers: { authorization: `Bearer ${noisy.key}` }, body })
    })
    return async () => {
      await end()
      await forgetQueue(town, noisy)
    }
  },
}
