import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../server/test/support/processes/program.ts'

test('the baseline of an empty acceptance starts with the schema of today, and takes a send', async () => {
  const program = new URL('../bench/programs/fastify-post.ts', import.meta.url).pathname
  const started = await startProgram({ command: process.execPath, args: [program], env: { PATH: process.env.PATH ?? '' } })
  onTestFinished(async () => void (await started.end('SIGTERM', 5_000)))
  const [, url = ''] = await started.printed(/"url":"([^"]+)"/, 20_000)
  const send = (body: object) =>
    fetch(`${url}/v1/messages`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  expect((await send({ to: '5511987654321', type: 'text', text: { body: 'Oi' } })).status).toBe(202)
  expect((await send({ to: '5511987654321', type: 'text' })).status).toBe(400)
})
