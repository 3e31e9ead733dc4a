import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Arguments } from './arguments.ts'
import type { Context } from './command.ts'
import { processSecrets, readSecret, type SecretInput } from './secret-input.ts'

const flag = { name: 'token', value: 'T', meaning: '', question: 'Token', required: true }
let directory: string
let file: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-secret-'))
  file = join(directory, 'token')
  await writeFile(file, 'from-a-file\n')
})
afterAll(() => rm(directory, { recursive: true }))

const ofTerminal: SecretInput = { ask: async (question) => `typed at ${question}`, line: async () => null }
const ofPipe: SecretInput = { ask: null, line: async () => 'from-a-pipe' }
const ofNothing: SecretInput = { ask: null, line: async () => null }

async function read(flags: Record<string, string>, secrets: SecretInput, env: Record<string, string> = {}, required = true) {
  const notes: string[] = []
  const context = { env, secrets, note: (line: string) => notes.push(line) } as unknown as Context
  const given: Arguments = { argument: '', text: (name) => flags[name] ?? null, on: () => false }
  const found = await readSecret(context, given, { ...flag, required })
  return { found: found.ok ? found.value : found.refusal.message, notes }
}

describe('a secret of a command', () => {
  test.each<[string, Record<string, string>, SecretInput, Record<string, string>, string]>([
    ['standard input', { token: '-' }, ofPipe, {}, 'from-a-pipe'],
    ['the terminal, where one is there', { token: '-' }, ofTerminal, {}, 'typed at Token'],
    ['its variable', {}, ofTerminal, { POMBO_TOKEN: 'from-a-variable' }, 'from-a-variable'],
    ['the terminal, when nothing else gives it', {}, ofTerminal, {}, 'typed at Token'],
  ])('is read from %s, without a word about it', async (_where, flags, secrets, env, expected) => {
    expect(await read(flags, secrets, env)).toEqual({ found: expected, notes: [] })
  })

  test('is read from a file, without its last line end', async () => {
    expect(await read({ 'token-file': file }, ofNothing)).toEqual({ found: 'from-a-file', notes: [] })
    expect((await read({ 'token-file': join(directory, 'none') }, ofNothing)).found).toContain('cannot be read')
    expect((await read({ token: 'a', 'token-file': file }, ofNothing)).found).toContain('not both')
  })

  test('is taken from an argument with a warning, which does not hold it', async () => {
    const { found, notes } = await read({ token: 'EAA-secret' }, ofNothing)
    expect([found, notes.length, notes.join('').includes('EAA-secret')]).toEqual(['EAA-secret', 1, false])
    expect(notes[0]).toContain('history')
  })

  test('that is missing is asked for at a terminal only, and only where it is required', async () => {
    expect((await read({}, ofNothing)).found).toBe('The flag --token is missing.')
    expect((await read({ token: '-' }, ofNothing)).found).toBe('No token was given.')
    expect((await read({}, ofTerminal, {}, false)).found).toBe(null)
  })
})

test('standard input gives one line after another', async () => {
  const input = new PassThrough()
  input.end('EAA\n123456\n')
  const { ask, line } = processSecrets(input as unknown as NodeJS.ReadStream, new PassThrough() as unknown as NodeJS.WriteStream)
  expect([ask, await line(), await line(), await line()]).toEqual([null, 'EAA', '123456', null])
})

test('a terminal shows the question, and nothing of what is typed', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const { ask } = processSecrets(input as unknown as NodeJS.ReadStream, output as unknown as NodeJS.WriteStream)
  const asked = ask?.('Token of the number')
  input.write('EAA-secret\n')
  expect(await asked).toBe('EAA-secret')
  expect(output.read().toString()).toBe('Token of the number: \n')
})
