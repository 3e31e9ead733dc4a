import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import type { Uuid } from '../../base/id.ts'
import type { HttpObservation } from './observation.ts'
import { createRateLimits } from './rate-limit.ts'

const key = '01900000-0000-7000-8000-000000000001' as Uuid

async function countsAlone(redisUrl: string) {
  const observed: HttpObservation[] = []
  const clock = manualClock('2026-01-01T00:00:00Z')
  const rates = await createRateLimits({ clock, observe: (each) => observed.push(each), perKey: 2, perAccount: 10, redisUrl })
  const taken = []
  for (let i = 0; i < 3; i += 1) taken.push(await rates.takeCall(key, key))
  await rates.close()
  expect(taken.map((each) => [each.admitted, each.limit, each.remaining])).toEqual([
    [true, 2, 1],
    [true, 2, 0],
    [false, 2, 0],
  ])
  expect(observed.filter((each) => each.kind === 'rate_limit.store_away')).toHaveLength(1)
}

/** A store that takes connections and commands, and never answers. */
async function silentStore() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe('a shared store that is away', () => {
  // rule: limits 3
  test('nobody listens: this process counts alone, and says so once', () => countsAlone('redis://127.0.0.1:1'))

  test('it accepts and stays silent: the same', async () => {
    const store = await silentStore()
    await countsAlone(store.url)
    store.close()
  })
})
