import { describe, expect, test } from 'vitest'
import { personAt, personOfUserId } from './person.ts'

describe('the WhatsApp id of a dialled number', () => {
  test.each([
    ['5511998887777', 'keep', '5511998887777'],
    ['5511998887777', 'drop', '551198887777'],
    ['5511998000006', 'keep', '551198000006'],
    ['551132345678', 'drop', '551132345678'],
    ['525512345678', 'keep', '5215512345678'],
    ['5215512345678', 'keep', '5215512345678'],
    ['541123456789', 'keep', '5491123456789'],
    ['5491123456789', 'keep', '5491123456789'],
    ['15550107712', 'drop', '15550107712'],
  ] as const)('%s (ninth digit: %s) is %s', (digits, ninthDigit, waId) => {
    expect(personAt(digits, ninthDigit).waId).toBe(waId)
  })
})

test('a user id leads back to its person, and to nobody when it is not one of ours', () => {
  const person = personAt('5511998887777', 'keep')
  expect(person.userId).toMatch(/^BR\.\d+$/)
  expect(personOfUserId(person.userId)).toEqual(person)
  expect(personOfUserId('US.48120773650912')).toBeNull()
})
