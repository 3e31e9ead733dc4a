import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts'
import { newStage, type Stage, sql } from '../../../test/support/stage.ts'
import { type Clock, manualClock } from '../../base/clock.ts'
import { newUuid } from '../../base/id.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { itemsOf, workThrough } from './work-through.ts'

const folder = new URL('../../../test/fixtures/notices/', import.meta.url)
const names = readdirSync(folder)
/** The number of the fixtures, as upstream calls it. */
const fixtureNumber = '118350927764405'

let own: TestDatabase
let clock: Clock
let stage: Stage
beforeAll(async () => {
  own = await testDatabase()
  clock = manualClock(new Date().toISOString())
  stage = await newStage(own.database, clock)
})
afterAll(() => own.close())

const anyJson = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
type Place = readonly (string | number)[]
/** Every place of a value, as a list of keys. */
const places = (value: Json, path: Place = []): Place[] =>
  value === null || typeof value !== 'object'
    ? [path]
    : [path, ...Object.entries(value).flatMap(([key, each]) => places(each, [...path, Array.isArray(value) ? Number(key) : key]))]
const replaced = (value: Json, [key, ...rest]: Place, by: Json | undefined): Json => {
  if (key === undefined) return by ?? null
  if (Array.isArray(value)) return value.map((each, i) => (i === key ? replaced(each, rest, by) : each))
  return Object.fromEntries(
    Object.entries(value as JsonObject).flatMap(([name, each]) =>
      name !== key ? [[name, each]] : rest.length === 0 && by === undefined ? [] : [[name, replaced(each, rest, by)]],
    ),
  )
}

let neighbours = 0
/** A text of a person that cannot be read wrong. */
const neighbour = () => {
  neighbours += 1
  const at = String(Math.floor(clock.now().getTime() / 1_000))
  const messages = [{ from: '5511987654321', id: `wamid.NEIGHBOUR${neighbours}`, timestamp: at, type: 'text', text: { body: 'Oi' } }]
  return { field: 'messages', value: { metadata: { phone_number_id: stage.phoneNumberId }, messages } }
}

class Undone extends Error {}

/** Works a body through as the lane does, looks, and takes all of it back. */
async function worked(body: string): Promise<{ wamids: string[] }> {
  const notice = {
    id: newUuid(clock.now()),
    livemode: true,
    accountId: null,
    body: Buffer.from(body),
    tries: 0,
    dueAt: clock.now(),
    receivedAt: clock.now(),
    lane: 0,
    isReplay: false,
  }
  let wamids: string[] = []
  await own.database
    .transaction(async (tx) => {
      await workThrough(tx, clock, itemsOf([notice]))
      wamids = (await sql<{ wamid: string }>(tx, 'select wamid from message where account_id = $1', [stage.accountId])).map(
        (row) => row.wamid,
      )
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return { wamids }
}

// rule: receive 7
describe('damaged notices', () => {
  test.each(names)('%s with any part replaced or missing is worked through, and its neighbours are kept', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
      .replaceAll(fixtureNumber, stage.phoneNumberId)
      // What the history tells is of a time for which there is room.
      .replaceAll(/\b178\d{7}\b/g, String(Math.floor(clock.now().getTime() / 1_000) - 60))
    const whole = JSON.parse(text) as JsonObject
    const entries = whole.entry as JsonObject[]
    const inside = places(entries as Json).filter((place) => place.length > 2)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...inside), fc.option(anyJson, { nil: undefined }), async (place, by) => {
        const damaged = replaced(entries as Json, place, by) as Json[]
        const before = neighbour()
        const after = neighbour()
        const entry = [{ id: '1', changes: [before] }, ...damaged, { id: '1', changes: [after] }]
        const { wamids } = await worked(JSON.stringify({ ...whole, entry }))
        for (const { value } of [before, after]) expect(wamids).toContain(value.messages[0]?.id)
      }),
      { numRuns: 12, interruptAfterTimeLimit: 3_000 },
    )
  })
})
