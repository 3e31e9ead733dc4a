import { describe, expect, test } from 'vitest'
import { readArguments, readId } from './arguments.ts'
import type { Command } from './command.ts'

const flags = [
  { name: 'name', value: 'NAME', meaning: '' },
  { name: 'live', value: null, meaning: '' },
]
const command = (argument: string | null): Command => ({ name: 'thing do', meaning: '', argument, flags, run: async () => null })

describe('the arguments of a command', () => {
  test('are read in any order, with or without an equals sign', () => {
    for (const rest of [
      ['ID', '--name', 'a b', '--live'],
      ['--live', '--name=a b', 'ID'],
    ]) {
      const given = readArguments(command('ID'), rest)
      if (!given.ok) throw new Error(given.refusal.message)
      expect([given.value.argument, given.value.text('name'), given.value.on('live'), given.value.on('json')]).toEqual([
        'ID',
        'a b',
        true,
        false,
      ])
    }
  })

  test('a value may begin with dashes when it stands behind an equals sign', () => {
    const given = readArguments(command(null), ['--name=--x'])
    expect(given.ok && given.value.text('name')).toBe('--x')
  })

  test.each([
    ['an unknown flag', null, ['--nam', 'x'], '--nam'],
    ['a short flag', null, ['-n', 'x'], '-n'],
    ['a flag without its value', null, ['--name'], '--name needs a value'],
    ['a flag before another flag', null, ['--name', '--live'], '--name needs a value'],
    ['an empty value', null, ['--name='], '--name needs a value'],
    ['a value that is not wanted', null, ['--live=yes'], '--live takes no value'],
    ['a flag twice', null, ['--name', 'a', '--name', 'b'], '--name is given twice'],
    ['a missing argument', 'ID', ['--live'], 'needs ID'],
    ['a surplus argument', null, ['extra'], '"extra"'],
    ['a second argument', 'ID', ['one', 'two'], '"two"'],
  ])('%s is named', (_what, argument, rest, words) => {
    const given = readArguments(command(argument), rest)
    expect(given).toMatchObject({ ok: false, refusal: { code: 'invalid_request' } })
    expect(given.ok ? '' : given.refusal.message).toContain(words)
  })

  test('an id of another kind is refused under its field', () => {
    expect(readId('acc', `key_${'0'.repeat(32)}`, 'account')).toMatchObject({ ok: false, refusal: { details: [{ field: 'account' }] } })
  })
})
