import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Played, playAll } from './play.ts'
import { scenarios } from './scenarios.ts'
import { tableOf } from './table.ts'

/** Generous, for a machine that does other work: here a service that stops is told, at full size (`npm run noisy`) one that slows down. */
const floors = { send: 750, event: 2_000, console: 1_000 }
const playMsMax = 240_000

// Not yet on a machine that does other work: its figures have to be taken on a quiet one first.
describe.runIf(process.env.NOISY === 'true')('nobody stops the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pombo-noisy-'))
  let played: Played[] = []

  beforeAll(async () => {
    const looks = { firstMs: 2_000, aloneMs: 300, besideMs: 2_000 }
    played = await playAll({ scenarios, messages: 50_000, ...looks, floors, retries: 1, folder, say: console.log, undo: [] })
    console.log(tableOf(played, floors))
  }, playMsMax)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each(scenarios.map((each) => each.name))('%s, and everybody else goes on', (name) => {
    expect(played.find((each) => each.scenario.name === name)?.problems).toEqual([])
  })
})
