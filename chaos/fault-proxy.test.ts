import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

// A server that answers every question at once, as far as the proxy can tell from PostgreSQL.
let folder = ''
let server: Server
let proxy: FaultProxy
let asked: string[] = []
/** It works at a question and does not answer. */
let isSlow = false
const opened: Socket[] = []

beforeEach(async () => {
  asked = []
  isSlow = false
  folder = await mkdtemp(join(tmpdir(), 'pombo-fault-proxy-'))
  server = createServer((socket) => {
    opened.push(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      asked.push(String(chunk))
      if (!isSlow) socket.write(`done ${chunk}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  proxy = await startFaultProxy(join(folder, 'socket'))
})
afterEach(async () => {
  await proxy.close()
  for (const each of opened.splice(0)) each.destroy()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true })
})

async function client() {
  const socket = connect(proxy.port, '127.0.0.1')
  opened.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const ended = once(socket, 'close').then(() => 'ended')
  const answer = () => once(socket, 'data').then(([chunk]) => String(chunk))
  const ask = (question: string) => {
    socket.write(question)
    return Promise.race([answer(), ended])
  }
  return { ended, ask }
}

test('a commit that is cut before it was done never reaches the server, one that is cut after it is done and not answered', async () => {
  const [one, two] = [await client(), await client()]
  expect(await one.ask('begin')).toBe('done begin')
  expect(await two.ask('begin')).toBe('done begin')
  proxy.cutCommits('before', 1)
  expect(await one.ask('commit\0')).toBe('ended')
  proxy.cutCommits('after', 1)
  expect(await two.ask('commit\0')).toBe('ended')
  expect(asked).toEqual(['begin', 'begin', 'commit\0'])
})

test('a commit that is cut during its work reaches the server, and its answer reaches nobody', async () => {
  const slow = await client()
  isSlow = true
  proxy.cutCommits('during', 1)
  expect(await slow.ask('commit\0')).toBe('ended')
  expect(asked).toEqual(['commit\0'])
})

test('an intent is a commit of its own; everything else passes while commits are waited for', async () => {
  const { ask } = await client()
  proxy.cutCommits('after', 1)
  expect(await ask('select')).toBe('done select')
  expect(await ask('…write_send_intents…')).toBe('ended')
  expect(asked.at(-1)).toBe('…write_send_intents…')
})

test('a stall holds everything back and keeps connections; what was held back comes once it is healed', async () => {
  const { ask, ended } = await client()
  expect(await ask('one')).toBe('done one')
  proxy.stall()
  const late = ask('two')
  const other = await client()
  const alsoLate = other.ask('three')
  expect(asked).toEqual(['one'])
  proxy.heal()
  expect(await Promise.all([late, alsoLate])).toEqual(['done two', 'done three'])
  expect(await Promise.race([ended, 'open'])).toBe('open')
})

test('a refusal ends what is open and takes nothing new until it is healed', async () => {
  const before = await client()
  expect(await before.ask('one')).toBe('done one')
  proxy.refuse()
  expect(await before.ended).toBe('ended')
  const during = await client()
  expect(await during.ended).toBe('ended')
  proxy.heal()
  expect(await (await client()).ask('two')).toBe('done two')
})
