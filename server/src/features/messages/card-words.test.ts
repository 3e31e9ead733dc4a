import { describe, expect, test } from 'vitest'
import { cardsText, placeText } from './card-words.ts'

// rule: receive 10
describe('the words of cards', () => {
  test.each<[cards: object, words: string]>([
    [[{ name: { first_name: 'Ana' } }], 'Ana'],
    [[{ name: { first_name: 'Ana', last_name: 'Lima', formatted_name: ' ' } }], 'Ana Lima'],
    [[{ emails: [{ email: 'so@example.com' }] }], 'so@example.com'],
    [[{ name: {}, vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Caio Lima\nEND:VCARD' }], 'Caio Lima'],
    [[{ name: {}, vcard: 'BEGIN:VCARD\r\nFN;CHARSET=UTF-8:Lima\\, Caio\r\nEND:VCARD' }], 'Lima, Caio'],
    [[{ org: { company: 'Padaria Sol' }, phones: [{ phone: '+55 11 3333-0001' }] }], 'Padaria Sol (+55 11 3333-0001)'],
    [[{ name: {}, phones: [{ phone: '' }, { wa_id: '5511987654321' }] }], '5511987654321'],
    [[{ name: { formatted_name: 'Um' } }, { name: {}, phones: [] }], 'Um; (contact without a name)'],
    [[], '(contact without a name)'],
    [[null], '(contact without a name)'],
    [[{ name: {}, phones: [] }], '(contact without a name)'],
    [{ name: 'no list' }, '(contact without a name)'],
  ])('%j are %j', (cards, words) => expect(cardsText(cards as never)).toBe(words))
})

// rule: receive 10
describe('the words of a place', () => {
  test.each<[location: object | null | undefined, words: string]>([
    [{ name: 'Só nome' }, 'Só nome'],
    [{ name: 'Padaria', address: 'Rua 1', latitude: -1.5, longitude: 2 }, 'Padaria, Rua 1 (-1.5, 2)'],
    [{ latitude: '-1.5', longitude: '2' }, '-1.5, 2'],
    [{ latitude: 0, longitude: 0 }, '0, 0'],
    [{ latitude: 1 }, '(location without a place)'],
    [{ name: ' ', url: 'https://maps.example.com/x' }, 'https://maps.example.com/x'],
    [{}, '(location without a place)'],
    [null, '(location without a place)'],
    [undefined, '(location without a place)'],
  ])('%j are %j', (location, words) => expect(placeText(location as never)).toBe(words))
})
