import { describe, expect, test } from 'vitest'
import { hasStatus, isTemplateName, isWhatWasSubmitted, strangeComponent, upstreamFilter } from './rules.ts'
import type { Template } from './template.ts'

const body = { type: 'BODY', text: 'Oi.' }
const template = (more: Partial<Template> = {}): Template => ({
  ...{ id: '1', name: 'a', language: 'pt_BR', status: 'APPROVED', category: 'UTILITY', subCategory: null, parameterFormat: null },
  ...{ quality: null, rejectedReason: null, components: [body] },
  ...more,
})

test.each([
  ['a', true],
  ['pedido_enviado_2', true],
  ['a'.repeat(512), true],
  ['a'.repeat(513), false],
  ['', false],
  ['Pedido', false],
  ['a b', false],
  ['ação', false],
  ['a\n', false],
])('%j can be a name: %s', (text, can) => {
  expect(isTemplateName(text)).toBe(can)
})

test('a status is compared whatever its case; one that upstream cannot filter by is not asked for', () => {
  expect([hasStatus(template(), null), hasStatus(template(), 'approved'), hasStatus(template(), 'PAUSED')]).toEqual([true, true, false])
  expect(hasStatus(template({ status: null }), 'APPROVED')).toBe(false)
  expect([upstreamFilter('approved'), upstreamFilter('ARCHIVED')]).toEqual(['approved', null])
})

// rule: templates 5
describe('a template is what was submitted', () => {
  test.each([
    ['it is the same', [body], [body], true],
    ['upstream writes the type in capitals and adds to it', [{ type: 'body', text: 'Oi.' }], [{ ...body, id: 7 }], true],
    ['upstream words the body itself', [{ type: 'BODY', add_security_recommendation: true }], [body], true],
    ['upstream adds a component', [body], [body, { type: 'FOOTER', text: 'x' }], true],
    ['a text is another one', [{ ...body, text: 'Olá.' }], [body], false],
    ['a component is missing', [body, { type: 'FOOTER', text: 'x' }], [body], false],
  ])('when %s', (_when, asked, components, same) => {
    expect(isWhatWasSubmitted(asked, template({ components }))).toBe(same)
  })
})

test('the first component that is no object is found', () => {
  expect([strangeComponent([body, 'x', 'y']), strangeComponent([body])]).toEqual([1, null])
})
