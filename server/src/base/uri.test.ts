import { describe, expect, test } from 'vitest'
import { isUri } from './uri.ts'

// rule: send 15
describe('a URI', () => {
  test.each([
    'https://example.com',
    'https://example.com/a/b.jpg?x=1&y=%C3%A9#top',
    'https://[2001:db8::1]:8443/a.jpg',
    "https://example.com/a(1)~_-.!$&'*+,;=:@/",
    'HTTPS://EXAMPLE.COM?x',
  ])('is taken as it is written: %j', (text) => expect(isUri(text)).toBe(true))

  test.each([
    ' https://example.com/x.jpg',
    'https://example.com/x.jpg\n',
    'https://example.com/a b.jpg',
    'https:///x.jpg',
    'https://',
    'https:\\\\example.com\\x.jpg',
    'https://example.com\\x.jpg',
    'https:example.com/x.jpg',
    'https://example.com/100%.jpg',
    'https://example.com/%e.jpg',
    'https://example.com/{{1}}',
    'https://example.com/são.jpg',
    'https://example.com/"a".jpg',
    'https://example.com/a|b^c`d',
    'https://example.com/#a#b',
    '//example.com/x.jpg',
    'x.jpg',
    '',
  ])('is not what would have to be changed to be one: %j', (text) => expect(isUri(text)).toBe(false))
})
