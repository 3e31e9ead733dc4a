import { uuidOf } from '../../histories.ts'
import { mendTokenSql, spoilTokenSql } from '../../spoilt-token.ts'
import { ask, callers } from '../ask.ts'
import { forgetQueue } from '../forget-queue.ts'
import type { Scenario } from '../scenario.ts'

export const numberDamagedToken: Scenario = {
  name: 'a number has a token that cannot be opened, and sends',
  resource: 'lanes',
  async begin(town) {
    const { port, rows } = town
    const noisy = await town.newcomer()
    await rows(spoilTokenSql, [uuidOf(noisy.channelId)])
    const end = callers(5, 1_000, (n) => {
      const body = JSON.stringify({ to: noisy.people[n % noisy.people.length], type: 'text', text: { body: 'Oi' } })
      return ask({ port, method: 'POST', path: '/v1/messages', headers: { authorization: `Bearer ${noisy.key}` }, body })
    })
    return async () => {
      await end()
      await forgetQueue(town, noisy)
      await rows(mendTokenSql, [uuidOf(noisy.channelId)])
    }
  },
}
