import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manualClock } from '../../base/clock.ts'
import { createTemporaryFiles } from './temporary-files.ts'

test('what a crash left behind is deleted an hour after it was begun, and nothing else', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'pombo-temporary-'))
  const directory = join(parent, 'temporary')
  const clock = manualClock('2026-03-02T12:00:00.000Z')
  const files = createTemporaryFiles({ clock }, directory)
  // Before anybody worked on a file there is no directory.
  await files.sweep()
  const old = await files.newPath()
  await writeFile(old, 'x')
  await writeFile(join(directory, '.keep'), '')
  clock.advance(3_600_000)
  const young = await files.newPath()
  await writeFile(young, 'x')
  await files.sweep()
  expect(await readdir(directory)).toHaveLength(3)
  clock.advance(1)
  await files.sweep()
  expect((await readdir(directory)).toSorted()).toEqual(['.keep', young.slice(directory.length + 1)])
  await rm(parent, { recursive: true })
})
