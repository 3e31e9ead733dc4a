import { expect, test } from 'vitest'
import { nextPath } from '../src/features/sign-in/next-path.ts'

const origin = 'https://pombo.example'

test('after a sign-in the page of an account that was asked for opens', () => {
  expect(nextPath('/a/acc_1/settings/members?q=1#top', origin)).toBe('/a/acc_1/settings/members?q=1#top')
})

test.for([
  undefined,
  '',
  '/',
  '/sign-in?next=/a/acc_1',
  'https://evil.example/a/acc_1',
  '//evil.example/a/acc_1',
  String.raw`/\evil.example/a/acc_1`,
  String.raw`\\evil.example/a/acc_1`,
  '/\t/evil.example/a/acc_1',
  '/.//evil.example/a/acc_1',
  '/a/..//evil.example/a/',
  'javascript:alert(1)//a/',
  'http://[',
  '/ab/acc_1',
])('anything else leads to the start: %s', (asked) => {
  expect(nextPath(asked, origin)).toBe('/')
})
