import { afterEach, describe, expect, test } from 'vitest'
import type { SimulatorOptions } from '../src/simulator.ts'
import { type Stage, setStage } from './stage.ts'

describe('statuses', () => {
  let stage: Stage
  afterEach(() => stage.close())

  const statusesWith = async (options: SimulatorOptions) => {
    stage = await setStage(options)
    await stage.send('+15550107712')
    await stage.simulator.settled()
    return stage.callback.statuses().map((each) => each.status)
  }

  test('of one message are handed over one at a time, so that no connection can overtake another', async () => {
    stage = await setStage()
    let open = 0
    let openMax = 0
    stage.callback.answerWith((_request, response) => {
      open += 1
      openMax = Math.max(openMax, open)
      setTimeout(() => {
        open -= 1
        response.writeHead(200).end()
      }, 5)
    })
    await stage.send('+15550107712')
    await stage.simulator.settled()
    expect(openMax).toBe(1)
    expect(stage.callback.statuses().map((each) => each.status)).toEqual(['sent', 'delivered', 'read'])
  })

  test('are sent as often as the copies say', async () => {
    expect(await statusesWith({ statusCopies: 2 })).toEqual(['sent', 'sent', 'delivered', 'delivered', 'read', 'read'])
  })

  test('come the other way round when reversed', async () => {
    expect(await statusesWith({ statusOrder: 'reversed' })).toEqual(['read', 'delivered', 'sent'])
  })

  test('are shuffled by the seed, none lost', async () => {
    const statuses = await statusesWith({ statusOrder: 'shuffled', statusCopies: 3, seed: 7 })
    expect(statuses).not.toEqual(['sent', 'sent', 'sent', 'delivered', 'delivered', 'delivered', 'read', 'read', 'read'])
    expect(statuses.toSorted()).toEqual(['delivered', 'delivered', 'delivered', 'read', 'read', 'read', 'sent', 'sent', 'sent'])
  })

  test('that are dropped never come', async () => {
    expect(await statusesWith({ statusDrop: ['sent', 'delivered'] })).toEqual(['read'])
  })

  test('wait for their gap and their delay', async () => {
    const startedMs = performance.now()
    expect(await statusesWith({ statusGapMs: 20, statusDelayMs: 40 })).toEqual(['sent', 'delivered', 'read'])
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(100)
  })

  test('that are held come only when they are released, in the order asked for', async () => {
    expect(await statusesWith({ statusHold: true })).toEqual([])
    expect(await stage.simulator.releaseStatuses('reversed')).toBe(3)
    await stage.simulator.settled()
    expect(stage.callback.statuses().map((each) => each.status)).toEqual(['read', 'delivered', 'sent'])
  })

  test('of several messages share one notice when they may', async () => {
    stage = await setStage({ statusHold: true, noticeBatchMax: 50 })
    for (let i = 0; i < 4; i += 1) await stage.send(`+1555010771${i}`)
    await stage.simulator.settled()
    await stage.simulator.releaseStatuses()
    await stage.simulator.settled()
    expect(stage.callback.received).toHaveLength(1)
    expect(stage.callback.statuses()).toHaveLength(12)
  })

  test('go in as many notices as they must when a notice carries fewer', async () => {
    stage = await setStage({ statusHold: true, noticeBatchMax: 5 })
    for (let i = 0; i < 4; i += 1) await stage.send(`+1555010771${i}`)
    await stage.simulator.settled()
    await stage.simulator.releaseStatuses()
    await stage.simulator.settled()
    expect(stage.callback.received).toHaveLength(3)
    expect(new Set(stage.callback.statuses().map((each) => `${each.id} ${each.status}`)).size).toBe(12)
  })

  test('can overtake the answer of their own send', async () => {
    stage = await setStage({ statusBeforeAnswer: true })

    // The callback answers late, so a send that did not wait for it would be answered first.
    const order: string[] = []
    stage.callback.answerWith((_request, response) => {
      setImmediate(() => {
        order.push('notice answered')
        response.writeHead(200).end()
      })
    })
    const answer = await stage.send('+15550107712')
    order.push('send answered')
    expect(order[0]).toBe('notice answered')
    expect(stage.callback.statuses()[0]).toMatchObject({ status: 'sent', id: answer.json.messages[0].id })
    await stage.simulator.settled()
  })
})
