import { uuidOf } from '../../histories.ts'
import { ask, callers } from '../ask.ts'
import { forgetQueue } from '../forget-queue.ts'
import type { Scenario } from '../scenario.ts'

const flip = 'update channel set token = set_byte(token, octet_length(token) - 1, get_byte(token, octet_length(token) - 1) # 255) where id = $1'

export const numberDamagedToken: Scenario = {
  name: 'a number has a token that cannot be opened, and sends',
  resource: 'lanes',
  async begin(town) {
    const { port, rows } = town
    const noisy = await town.newcomer()
    await rows(flip, [uuidOf(noisy.channelId)])
    const end = callers(5, 1_000, (n) => {
      const body = JSON.stringify({ to: noisy.people[n % noisy.people.length], type: 'text', text: { body: 'Oi' } })
      return ask({ port, method: 'POST', path: '/v1/messages', headers: { authorization: `Bearer ${noisy.key}` }, body })
    })
    return async () => {
      await end()
      await forgetQueue(town, noisy)
      await rows(flip, [uuidOf(noisy.channelId)])
    }
  },
}
