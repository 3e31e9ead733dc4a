import { describe, expect, test } from 'vitest'
import { isOptOutWord } from './rules.ts'

// rule: opt-outs 5
describe('a message that is a word which opts out', () => {
  test.each([
    'PARAR',
    'parar',
    'Sair',
    'STOP',
    'stop.',
    ' Cancelar \n',
    'cancelar!',
    'Cancelar  inscrição',
    'NÃO QUERO RECEBER',
    'nao quero receber',
    'Descadastrar',
    'pare',
    'Unsubscribe',
    'baja',
  ])('"%s" is one', (text) => {
    expect(isOptOutWord(text)).toBe(true)
    expect(isOptOutWord(text.normalize('NFD'))).toBe(true)
  })

  test.each(['', ' ', '.', 'não parar', 'pare com isso', 'stopp', 'p a r a r', '"sair"', 'sair?', 'СТОП', `${' '.repeat(10_000)}sair`])(
    '"%s" is none',
    (text) => {
      expect(isOptOutWord(text)).toBe(false)
    },
  )
})
