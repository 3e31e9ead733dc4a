import { expect, test } from 'vitest'
import type { Media } from '../src/api/generated/operations.ts'
import { bodyText, componentsOf, fieldsOf, isSupported, missingIn } from '../src/features/inbox/composer/template-fields.ts'

const template = (components: { [field: string]: unknown }[], more: { parameter_format?: string; category?: string } = {}) => ({
  components,
  parameter_format: more.parameter_format ?? 'POSITIONAL',
  category: more.category ?? 'UTILITY',
})
const texts = (given: Record<string, string>) => ({ texts: given, media: null })
const picture: Media = {
  id: 'med_1',
  object: 'media',
  url: 'https://files.example/a.png',
  mime_type: 'image/png',
  size_bytes: 10,
  suggested_type: 'image',
  file_name: 'a.png',
}

test('places are filled in order, with what they were reviewed with as examples', () => {
  const order = template([
    { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}' },
    { type: 'BODY', text: 'Olá, {{1}}! O pedido {{2}} saiu, {{1}}.', example: { body_text: [['Maria', '4711']] } },
  ])
  const fields = fieldsOf(order)
  expect(fields.map(({ id }) => id)).toEqual(['header.1', 'body.1', 'body.2'])
  expect(fields[1]).toMatchObject({ example: 'Maria' })
  const given = texts({ 'header.1': '9', 'body.1': ' Ana ', 'body.2': '9' })
  expect(componentsOf(order, given)).toEqual([
    { type: 'header', parameters: [{ type: 'text', text: '9' }] },
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Ana' },
        { type: 'text', text: '9' },
      ],
    },
  ])
  expect(bodyText(order, fields, texts({ 'body.1': 'Ana', 'body.2': '9' }))).toBe('Olá, Ana! O pedido 9 saiu, Ana.')
})

test('names go with their values', () => {
  const named = template(
    [{ type: 'BODY', text: 'Olá, {{nome}}!', example: { body_text_named_params: [{ param_name: 'nome', example: 'Ana' }] } }],
    {
      parameter_format: 'NAMED',
    },
  )
  expect(fieldsOf(named)).toEqual([{ id: 'body.nome', part: 'body', name: 'nome', example: 'Ana' }])
  expect(componentsOf(named, texts({ 'body.nome': 'Bia' }))).toEqual([
    { type: 'body', parameters: [{ type: 'text', parameter_name: 'nome', text: 'Bia' }] },
  ])
})

test('the file of a header, the end of an address and a code of a button are asked for', () => {
  const rich = template([
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Veja.' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Sim' },
        { type: 'URL', text: 'Abrir', url: 'https://loja.example/{{1}}' },
        { type: 'COPY_CODE', text: 'Copiar' },
      ],
    },
  ])
  const fields = fieldsOf(rich)
  expect(fields.map(({ id }) => id)).toEqual(['media', 'button.1', 'button.2'])
  const given = { texts: { 'button.1': 'a/b', 'button.2': 'PAO10' }, media: picture }
  expect(missingIn(fields, texts({ 'button.1': ' ' }))).toEqual(['media', 'button.1', 'button.2'])
  expect(missingIn(fields, given)).toEqual([])
  expect(missingIn(fields, { ...given, media: { ...picture, suggested_type: 'document' } })).toEqual(['media'])
  expect(componentsOf(rich, given)).toEqual([
    { type: 'header', parameters: [{ type: 'image', image: { link: picture.url } }] },
    { type: 'button', sub_type: 'url', index: '1', parameters: [{ type: 'text', text: 'a/b' }] },
    { type: 'button', sub_type: 'copy_code', index: '2', parameters: [{ type: 'coupon_code', coupon_code: 'PAO10' }] },
  ])
})

test('the button of a login code carries the code of the body', () => {
  const login = template(
    [
      { type: 'BODY', text: '*{{1}}* is your code.' },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy' }] },
    ],
    { category: 'AUTHENTICATION' },
  )
  expect(fieldsOf(login).map(({ id }) => id)).toEqual(['body.1'])
  expect(componentsOf(login, texts({ 'body.1': '123' }))).toEqual([
    { type: 'body', parameters: [{ type: 'text', text: '123' }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '123' }] },
  ])
})

test('what has nothing to fill in has no components, and what only a system can send is told apart', () => {
  const plain = template([{ type: 'BODY', text: 'Olá!' }])
  expect(componentsOf(plain, texts({}))).toBeNull()
  expect(isSupported(plain)).toBe(true)
  expect(
    isSupported(
      template([
        { type: 'BODY', text: 'Veja' },
        { type: 'CAROUSEL', cards: [] },
      ]),
    ),
  ).toBe(false)
  expect(
    isSupported(
      template([
        { type: 'BODY', text: 'Veja' },
        { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'Ver' }] },
      ]),
    ),
  ).toBe(false)
})
