import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('prepare.mjs', import.meta.url))

test('an installation without what only builds ends well, and says whether there is a console', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'pombo-prepare-'))
  try {
    await mkdir(join(copy, 'tools'))
    await mkdir(join(copy, 'console/dist'), { recursive: true })
    await copyFile(program, join(copy, 'tools/prepare.mjs'))
    // What a library of the server brings along is not what the console is built with.
    await mkdir(join(copy, 'node_modules/vite'), { recursive: true })
    await writeFile(join(copy, 'node_modules/vite/package.json'), '{}')
    const run = async () => (await promisify(execFile)(process.execPath, [join(copy, 'tools/prepare.mjs')])).stdout
    expect(await run()).toContain('there is no console: copy console/dist')
    await writeFile(join(copy, 'console/dist/index.html'), '')
    expect(await run()).toContain('the console that is there stays')
  } finally {
    await rm(copy, { recursive: true })
  }
})
