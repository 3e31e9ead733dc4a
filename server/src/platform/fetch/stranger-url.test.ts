import { describe, expect, test } from 'vitest'
import { readCorpus } from './read-corpus.ts'
import type { StrangerPolicy } from './stranger-policy.ts'
import { checkStrangerUrl } from './stranger-url.ts'

const strict: StrangerPolicy = { allowPrivate: false, allowCidrs: [], certificateAuthorities: null, ownEndpoints: [] }
const accepts = (text: string, policy: StrangerPolicy = strict) => checkStrangerUrl(text, policy).ok

function refusal(text: string, policy: StrangerPolicy = strict): string | null {
  const checked = checkStrangerUrl(text, policy)
  return checked.ok ? null : checked.refusal
}

describe('the URL of a receiver', () => {
  test.each(readCorpus('urls'))('$text is $verdict ($why)', ({ verdict, text }) => {
    expect(accepts(text)).toBe(verdict === 'accepted')
  })

  test('is accepted with 2048 characters and refused with one more', () => {
    const longest = `https://example.com/${'a'.repeat(2028)}`
    expect(longest).toHaveLength(2048)
    expect(accepts(longest)).toBe(true)
    expect(refusal(`${longest}a`)).toBe('must not be longer than 2048 characters')
  })

  test('is refused with characters that the parser would drop in silence', () => {
    for (const text of [
      ' https://example.com/',
      'https://example.com/\n',
      'https://exam\tple.com/',
      'https://127.0.\r0.1/',
      '\u0000https://example.com/',
    ]) {
      expect(refusal(text)).toBe('must not contain spaces or control characters')
    }
  })

  test('comes back parsed, with the host in its plain form', () => {
    expect(checkStrangerUrl('HTTPS://EXAMPLE.com:443/a/../b', strict)).toEqual({ ok: true, value: new URL('https://example.com/b') })
  })

  test('gets the same sentence for every forbidden address, ours included', () => {
    const policy = { ...strict, ownEndpoints: [{ host: 'Storage.internal', port: 9000 }] }
    const urls = [
      'https://127.0.0.1/',
      'https://[fd00::1]/',
      'https://169.254.169.254/',
      'https://localhost/',
      'https://storage.internal:9000/',
    ]
    expect(new Set(urls.map((url) => refusal(url, policy)))).toEqual(new Set(['must not point to a private or reserved address']))
    expect(accepts('https://storage.internal:9001/', policy)).toBe(true)
  })
})

describe('where the operator allows private receivers', () => {
  const policy = { ...strict, allowPrivate: true, ownEndpoints: [{ host: '127.0.0.1', port: 5432 }] }

  test('http, any port, localhost and private addresses are accepted', () => {
    for (const url of [
      'http://localhost:3000/',
      'http://127.0.0.1/',
      'https://10.0.0.1:81/',
      'http://[::1]:22/',
      'http://a.localhost/',
      'http://example.com/',
    ]) {
      expect(refusal(url, policy)).toBeNull()
    }
  })

  test('user info, other schemes, our own endpoints, metadata and port 0 stay refused', () => {
    for (const url of [
      'http://a@localhost/',
      'ftp://localhost/',
      'http://127.0.0.1:5432/',
      'http://169.254.169.254/',
      'http://localhost:0/',
      'http://0/',
    ]) {
      expect(accepts(url, policy)).toBe(false)
    }
  })

  test('an opened range lets its addresses in, still over https and the usual ports', () => {
    const opened = { ...strict, allowCidrs: ['127.0.0.0/8', '10.0.0.0/8'] }
    expect(['https://10.0.0.1/', 'https://localhost:8443/'].filter((url) => !accepts(url, opened))).toEqual([])
    expect(['http://10.0.0.1/', 'https://10.0.0.1:80/', 'https://192.168.0.1/'].filter((url) => accepts(url, opened))).toEqual([])
  })
})
