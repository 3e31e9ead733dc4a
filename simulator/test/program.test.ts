import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { openCallback } from './callback.ts'
import { sendBody } from './stage.ts'

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url))

describe('the program', () => {
  let child: ChildProcess
  afterEach(() => {
    child.kill('SIGKILL')
  })

  const start = async (...args: string[]) => {
    child = spawn(process.execPath, [program, '--port', '0', ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    const line = await new Promise<string>((resolve) => child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())))
    return JSON.parse(line) as { ready: boolean; url: string }
  }
  const exitCode = () => new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))

  test('says in one line where it listens, and serves the number that it was given', async () => {
    const callback = await openCallback()
    const args = ['--number', '77:78:15550104477:token:with:colons', '--subscribed', '--callback', callback.url, '--status-gap', '0']
    const { ready, url } = await start(...args)
    expect(ready).toBe(true)
    const headers = { authorization: 'Bearer token:with:colons', 'content-type': 'application/json' }
    const answer = await fetch(`${url}/v24.0/77/messages`, { method: 'POST', headers, body: JSON.stringify(sendBody('+15550000001')) })
    expect(answer.status).toBe(200)
    expect(await (await fetch(`${url}/_sim/settled`)).json()).toEqual({ settled: true, underWay: 0 })
    expect(callback.statuses()).toMatchObject([{ status: 'sent' }])
    await callback.close()
  })

  test('ends when its parent does, if told so', async () => {
    await start('--with-parent')
    const ended = exitCode()
    child.stdin?.end()
    expect(await ended).toBe(0)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('ends on %s', async (signal) => {
    await start()
    const ended = exitCode()
    child.kill(signal)
    expect(await ended).toBe(0)
  })

  test('refuses a number that it cannot read with a sentence and exit code 2', async () => {
    child = spawn(process.execPath, [program, '--number', 'x'], { stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    const code = await new Promise<number | null>((resolve) => child.once('close', (each) => resolve(each)))
    expect({ code, text }).toEqual({ code: 2, text: '--number must be phoneNumberId:wabaId:displayDigits:token.\n' })
  })
})
