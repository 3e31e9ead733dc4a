import { expect, test } from 'vitest'
import { type Piece, piecesOf, withoutMarks } from '../src/ui/whatsapp-text.ts'

/** The pieces as one short text. */
function shown(pieces: readonly Piece[]): string {
  return pieces
    .map((each) => {
      if (each.kind === 'text') return each.text
      if (each.kind === 'link') return `[${each.href}]`
      if (each.kind === 'list') return `{${each.first ?? '-'} ${each.items.map(shown).join('|')}}`
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
  ['* item\n* outro', '{- item|outro}'],
  ['Falta:\n- farinha\n- *ovos*\nSó isso', 'Falta:{- farinha|{bold ovos}}Só isso'],
  ['1. ligar\n2. esperar\n5. outro', '{1 ligar|esperar}{5 outro}'],
  ['> você disse\n> _isto_\nsim', '{quote você disse\n{italic isto}}sim'],
  ['a > b, 3 - 2, v1. 2\n-sem espaço\n1.sem', 'a > b, 3 - 2, v1. 2\n-sem espaço\n1.sem'],
  ['```código``` - não é item', '{block código} - não é item'],
  ['-\n>\n1. ', '-\n>\n1. '],
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
  piecesOf('- *a\n> b\n1. c\n'.repeat(400))
  piecesOf(`${' '.repeat(4_000)}-`)
  expect(performance.now() - started).toBeLessThan(500)
})

test('a preview is the words alone, in one line', () => {
  expect(withoutMarks('*Olá _Maria_*,\nveja https://loja.example ```4711```')).toBe('Olá Maria, veja https://loja.example 4711')
  expect(withoutMarks('Falta:\n- pão\n- queijo\n> rápido')).toBe('Falta: pão · queijo rápido')
})
