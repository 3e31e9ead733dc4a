import { expect, test } from 'vitest'
import { homeCountryOf, parseDialled } from './national-phone.ts'

test.each([
  ['a mobile as every Brazilian writes it', '11 98765-4321', '55', '5511987654321'],
  ['with brackets', '(11) 98765-4321', '55', '5511987654321'],
  ['with the zero of a long-distance call', '(011) 98765-4321', '55', '5511987654321'],
  ['a landline', '11 3265-4321', '55', '551132654321'],
  ['an old mobile of eight digits', '11 8765-4321', '55', '551187654321'],
  ['an area code that is also a country code', '55 99876-5432', '55', '5555998765432'],
  ['with the country code', '55 11 98765-4321', '55', '5511987654321'],
  ['with a plus', '+55 11 98765-4321', '55', '5511987654321'],
  ['a number of another country, with a plus', '+1 415 555 2671', '55', '14155552671'],
  ['a number of Portugal, with a plus', '+351 912 345 678', '55', '351912345678'],
  ['a number of the United States, at home there', '(415) 555-2671', '1', '14155552671'],
  ['with the 1 before it', '1 415 555 2671', '1', '14155552671'],
])('%s is read: %s', (_what, text, home, digits) => {
  expect(parseDialled(text, home as '55' | '1')).toBe(digits)
})

test.each([
  ['no area code', '98765-4321', '55'],
  ['an area code that there is not', '20 98765-4321', '55'],
  ['eleven digits that are no mobile', '11 38765-43210', '55'],
  ['a digit too many', '+55 11 98765-43210', '55'],
  ['a digit too few', '+55 11 9876-543', '55'],
  ['an exchange of the United States that there is not', '+1 198 765 4321', '55'],
  ['a Brazilian number without its country, from a number of another one', '11 98765-4321', '1'],
  ['letters', 'Maria', '55'],
])('%s is refused: %s', (_what, text, home) => {
  expect(parseDialled(text, home as '55' | '1')).toBeNull()
})

test('the country of an account is that of its number', () => {
  expect([homeCountryOf('551140000000'), homeCountryOf('5511987654321'), homeCountryOf('14155552671')]).toEqual(['55', '55', '1'])
  expect([homeCountryOf('351912345678'), homeCountryOf(null)]).toEqual([null, null])
})
