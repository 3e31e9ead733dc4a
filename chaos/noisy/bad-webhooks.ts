import { uuidOf } from '../histories.ts'
import { ask, callers } from './ask.ts'
import { forgetQueue } from './forget-queue.ts'
import type { Town } from './town.ts'

/** Of one account. */
const webhooks = 10

/** Gives the noisy account webhooks that answer badly, and something to tell them; answers what ends it. */
export async function badWebhooks(town: Town, kinds: readonly string[]): Promise<() => Promise<void>> {
  const { port, rows, badReceiversUrl } = town
  const noisy = await town.newcomer()
  const headers = { authorization: `Bearer ${noisy.key}` }
  for (let i = 0; i < webhooks; i += 1) {
    const body = JSON.stringify({ url: `${badReceiversUrl}/${kinds[i % kinds.length]}/${i}`, events: ['*'] })
    const { status, body: told } = await ask({ port, method: 'POST', path: '/v1/webhooks', headers, body })
    if (status !== 201) throw new Error(`The webhook was refused: ${told}`)
  }
  const end = callers(5, 600, (n) => {
    const body = JSON.stringify({ to: noisy.people[n % noisy.people.length], type: 'text', text: { body: 'Oi' } })
    return ask({ port, method: 'POST', path: '/v1/messages', headers, body })
  })
  return async () => {
    await end()
    await forgetQueue(town, noisy)
    await rows("update delivery set status = 'canceled', next_at = null where status = 'pending' and account_id = $1", [
      uuidOf(noisy.accountId),
    ])
  }
}
