import { expect, test } from 'vitest'
import { fileNameOf } from './file-name.ts'

// rule: receive 18
test.each<[given: string, name: string | null]>([
  ['Nota fiscal 4711.pdf', 'Nota fiscal 4711.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\nota.pdf', 'nota.pdf'],
  ['folder/', 'folder'],
  ['a"b\'c`d.pdf', 'abcd.pdf'],
  ['nota.pdf\r\nSet-Cookie: a=b', 'nota.pdfSet-Cookie: a=b'],
  ['fdp.\u202egnp', 'fdp.gnp'],
  ['a..b...pdf', 'a.b.pdf'],
  ['a."."pdf', 'a.pdf'],
  ['.env', '.env'],
  ['..', null],
  ['. .', null],
  ['"/"', null],
  ['', null],
  ['são 👩‍🚀.pdf', 'são 👩‍🚀.pdf'],
])('%j is called %j', (given, name) => expect(fileNameOf(given)).toBe(name))

// rule: receive 18
test('a long name has at most 240 bytes, whole characters and its ending', () => {
  const name = fileNameOf(`${'ã'.repeat(400)}.pdf`) ?? ''
  expect([Buffer.byteLength(name), name.endsWith('ã.pdf'), name.isWellFormed()]).toEqual([240, true, true])
  expect(Buffer.byteLength(fileNameOf(`${'👩'.repeat(400)}`) ?? '')).toBe(240)
  expect(Buffer.byteLength(fileNameOf(`a.${'b'.repeat(400)}`) ?? '')).toBe(240)
})
