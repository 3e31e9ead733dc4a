import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from './sandbox.ts'

/** The arguments of every program that this machine lets us see. */
async function argumentsOfPrograms(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((each) => /^\d+$/.test(each))
  return Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
}

test.runIf(process.platform === 'linux')('no program of the sandbox has a secret in its arguments', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pombo-sandbox-'))
  const sandbox = await startSandbox(directory)
  try {
    const programs = await argumentsOfPrograms()
    expect(programs.some((each) => each.includes('simulator/src/main.ts'))).toBe(true)
    for (const secret of [sandbox.appSecret, sandbox.verifyToken]) expect(programs.filter((each) => each.includes(secret))).toEqual([])
  } finally {
    await sandbox.stop()
    await rm(directory, { recursive: true })
  }
})
