import { expect, test } from 'vitest'
import { type Piece, piecesOf, withoutMarks } from '../src/ui/whatsapp-text.ts'

/** The pieces as one short text. */
function shown(pieces: readonly Piece[]): string {
  return pieces
    .map((each) => {
      if (each.kind === 'text') return each.text
      if (each.kind === 'link') return `[${each.href}]`
      if (each.kind === 'mono') return `{${each.isBlock ? 'block' : 'mono'} ${each.text}}`
      return `{${each.kind} ${shown(each.pieces)}}`
    })
    .join('')
}

test.for([
  ['Olá *Maria*, tudo _bem_?', 'Olá {bold Maria}, tudo {italic bem}?'],
  ['*negrito com _itálico_ dentro*', '{bold negrito com {italic itálico} dentro}'],
  ['~antes~ ```linha 1\nlinha 2``` `só`', '{strike antes} {block linha 1\nlinha 2} {mono só}'],
  ['2*3*4 e snake_case_name', '2*3*4 e snake_case_name'],
  ['* item\n* outro', '* item\n* outro'],
  ['*aberto\nfechado*', '*aberto\nfechado*'],
  ['veja https://loja.example/a_b_c?x=*1*y e www.loja.example.', 'veja [https://loja.example/a_b_c?x=*1*y] e [https://www.loja.example/].'],
  ['(https://loja.example)', '([https://loja.example/])'],
  ['javascript:alert(1) data:text/html,x', 'javascript:alert(1) data:text/html,x'],
  ['**', '**'],
])('%s', ([text, expected]) => {
  expect(shown(piecesOf(text ?? ''))).toBe(expected)
})

test('a text made to take long takes no time', () => {
  const started = performance.now()
  piecesOf('*_~'.repeat(1_300))
  piecesOf('https://'.repeat(500))
  piecesOf('```'.repeat(1_300))
  expect(performance.now() - started).toBeLessThan(500)
})

test('a preview is the words alone, in one line', () => {
  expect(withoutMarks('*Olá _Maria_*,\nveja https://loja.example ```4711```')).toBe('Olá Maria, veja https://loja.example 4711')
})
