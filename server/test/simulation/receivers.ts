import type { DeliveriesDeps } from '../../src/features/webhooks/lanes.ts'
import { chanceOf } from './chance.ts'
import { labelOf } from './labels.ts'
import type { Life } from './virtual-time.ts'
import type { World } from './world.ts'

/** The customers' own servers, by the last part of their path. */
export function receiversOf(world: World): (process: number, life: Life) => DeliveriesDeps['strangers'] {
  const { time, evidence, plan } = world
  const counts = new Map<string, number>()
  const firstBytes = new Map<string, string>()
  return (process, life) => ({
    post: ({ url, headers, body }) =>
      new Promise((resolve) => {
        const webhook = url.split('/').at(-1) ?? ''
        const event = JSON.parse(body.toString('utf8'))
        const label = labelOf(event.data)
        const place = `${webhook} ${event.id}`
        const n = (counts.get(place) ?? 0) + 1
        counts.set(place, n)
        const text = body.toString('utf8')
        const first = firstBytes.get(event.id) ?? text
        firstBytes.set(event.id, first)
        const chance = chanceOf(plan.seed, 'receiver', webhook, event.type, label, n)
        const durationMs = chance.happens(0.03) ? chance.whole(5_000, 9_500) : chance.whole(3, 250)
        const statusCode = statusOf(webhook, n, chance.fraction())
        const receipt = {
          webhook,
          eventId: event.id as string,
          type: event.type as string,
          label,
          process,
          atMs: time.nowMs(),
          answeredAtMs: time.nowMs() + durationMs,
          statusCode,
          sameBytes: first === text && headers['service-event-id'] === event.id,
        }
        evidence.receipts.push(receipt)
        const answer = { statusCode, durationMs, error: null, bodyHead: 'ok' }
        time.at({ life, dueMs: receipt.answeredAtMs, kind: 'happening', work: () => resolve(answer) })
      }),
  })
}

/** `good` nearly always answers well, `shaky` not always, `dead` never. */
function statusOf(webhook: string, n: number, fraction: number): number {
  if (webhook === 'dead') return 500
  if (webhook === 'shaky') return n < 3 && fraction < (n === 1 ? 0.25 : 0.1) ? (fraction < 0.1 ? 302 : 503) : 204
  return n === 1 && fraction < 0.02 ? 500 : 200
}
