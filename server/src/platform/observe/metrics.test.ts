import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

describe('metrics', () => {
  test('are shown under pombo_, with those of Node', async () => {
    const metrics = createMetrics()
    const sent = metrics.counter({ name: 'sends_total', help: 'Sends.', labels: ['outcome'] })
    sent({ outcome: 'accepted' })
    sent({ outcome: 'accepted' }, 4)
    const took = metrics.histogram({ name: 'wait_seconds', help: 'Wait.', labels: ['lane'], buckets: [0.1, 1] })
    took({ lane: 'a' }, 0.5)
    let waiting: number | null = 7
    metrics.gauge({ name: 'waiting', help: 'Waiting.' }, () => waiting)
    const page = await metrics.page()
    expect(page).toContain('pombo_sends_total{outcome="accepted"} 5')
    expect(page).toContain('pombo_wait_seconds_bucket{le="1",lane="a"} 1')
    expect(page).toMatch(/^pombo_waiting 7$/m)
    expect(page).toContain('pombo_process_cpu_seconds_total')
    waiting = null
    expect(await metrics.page()).not.toMatch(/^pombo_waiting /m)
  })

  test('of two programs in one process do not meet', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.counter({ name: 'x_total', help: 'X.' })()
    other.counter({ name: 'x_total', help: 'X.' })
    expect(await one.page()).toMatch(/^pombo_x_total 1$/m)
    expect(await other.page()).toMatch(/^pombo_x_total 0$/m)
  })
})
