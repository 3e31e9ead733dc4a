import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ApiError } from '../src/api/client.ts'
import { kindWords } from '../src/features/inbox/content/file-size.ts'
import { templateName } from '../src/features/templates/template-name.ts'
import { distanceWords, durationWords } from '../src/ui/duration.ts'
import { refusalOf } from '../src/ui/use-refusal.ts'

test.for([
  ['planilha.csv', 'text/plain', 'CSV'],
  ['Comprovante.PDF', 'application/pdf', 'PDF'],
  ['foto.tar.gz', 'application/gzip', 'GZ'],
  ['sem ending', 'text/plain; charset=utf-8', 'TXT'],
  ['leia.me.por favor', 'application/vnd.openxmlformats-officedocument', ''],
  ['', null, ''],
] as const)('the file %s of %s is called %s', ([name, type, expected]) => {
  expect(kindWords(name, type)).toBe(expected)
})

test.for([
  ['Promoção de Natal', 'promocao_de_natal'],
  ['São-João 2026!', 'sao_joao_2026'],
  ['Straße & Łódź', 'strasse__lodz'],
  ['já_está_certo', 'ja_esta_certo'],
])('the name %s becomes one that the platform takes', ([typed, expected]) => {
  expect(templateName(typed ?? '')).toBe(expected)
})

test('two clocks never make a distance below zero', () => {
  const at = '2026-11-28T12:00:00.185Z'
  expect(distanceWords(at, '2026-11-28T12:00:00.000Z', 'en')).toBeNull()
  expect(distanceWords(at, '2026-11-28T12:00:02.185Z', 'en')).toBe('2s')
  expect(durationWords(-185, 'en')).toBe('0ms')
})

test('a field’s error goes once its value is another one, and the whole refusal with the last of them', () => {
  const details = [
    { field: 'name', message: 'must be lower-case' },
    { field: 'components[0].text', message: 'is too long' },
  ]
  const error = new ApiError({ status: 400, code: 'invalid_request', message: 'not valid', details })
  const refused = { name: 'Ábc', components: 'a', language: 'en' }
  expect(Object.keys(refusalOf(error, refused, refused).errors)).toEqual(['name', 'components[0].text'])
  expect(Object.keys(refusalOf(error, refused, { ...refused, name: 'abc' }).errors)).toEqual(['components[0].text'])
  expect(refusalOf(error, refused, { ...refused, language: 'pt' }).error).toBe(error)
  expect(refusalOf(error, refused, { ...refused, name: 'abc', components: 'b' })).toEqual({ error: null, errors: {} })
})

test('only ui/title.ts writes the tab’s title', async () => {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const files = (await readdir(source, { recursive: true })).filter((path) => /\.tsx?$/.test(path))
  const writers: string[] = []
  for (const file of files)
    if (/document\.title|useDocumentTitle/.test(await readFile(join(source, file), 'utf8'))) writers.push(file.replaceAll('\\', '/'))
  expect(writers).toEqual(['ui/title.ts'])
})
