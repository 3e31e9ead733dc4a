import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { secretKey } from '../../../test/support/stage.ts'
import { authSecretOf, sessionCookieName, sessionTokenIn } from './session-cookie.ts'

const secret = authSecretOf(secretKey)
const name = sessionCookieName('https://console.example')
const signed = (token: string, by = secret) => encodeURIComponent(`${token}.${createHmac('sha256', by).update(token).digest('base64')}`)

describe('the session in the cookies', () => {
  test('is the token whose signature is ours, wherever it stands', () => {
    expect(sessionTokenIn(`a=b; ${name}=${signed('token')}; c=d`, name, secret)).toBe('token')
  })
  test.each([
    ['no cookie', ''],
    ['one of another name', `x${name}=${signed('token')}`],
    ['one without a signature', `${name}=token`],
    ['one signed by somebody else', `${name}=${signed('token', 'other')}`],
    ['one of another token', `${name}=${signed('token').replace('token', 'other')}`],
    ['one cut short', `${name}=${signed('token').slice(0, -8)}`],
    ['one that is not percent-encoded rightly', `${name}=%E0%A4%A`],
    ['a long one', `${name}=${signed('t'.repeat(600))}`],
  ])('is not in %s', (_what, cookies) => {
    expect(sessionTokenIn(cookies, name, secret)).toBeNull()
  })
  test('has a name that only https may set where the console is there', () => {
    expect(name).toBe('__Secure-pombo.session_token')
    expect(sessionCookieName('http://localhost:8080')).toBe('pombo.session_token')
  })
})
