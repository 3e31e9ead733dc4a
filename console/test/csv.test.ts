import { expect, test } from 'vitest'
import { csvOf } from '../src/ui/download.ts'

test('a CSV begins with a byte order mark, and its columns are apart by semicolons, as a Brazilian Excel reads it', () => {
  expect(csvOf(['dia', 'enviadas'], [['2026-11-27', 44]])).toBe('\ufeffdia;enviadas\r\n2026-11-27;44\r\n')
})

test('texts with semicolons, commas, quotes and line breaks stay in one cell', () => {
  expect(csvOf(['a'], [['x;y'], ['x,y'], ['diz "oi"'], ['duas\nlinhas']])).toBe(
    '\ufeffa\r\n"x;y"\r\n"x,y"\r\n"diz ""oi"""\r\n"duas\nlinhas"\r\n',
  )
})

test('no text becomes a formula, and a number stays one', () => {
  for (const text of ['=1+1', '+55 11', '-1', '@SUM(A1)', '\t=1']) expect(csvOf(['a'], [[text]])).toContain(`'${text}`)
  expect(csvOf(['a'], [[-5]])).toBe('\ufeffa\r\n-5\r\n')
})
