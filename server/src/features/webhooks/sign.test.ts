import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { newSigningSecret, signatureOf } from './sign.ts'

const { webhooks } = new Stripe('sk_test_unused')
const at = new Date('2026-03-02T12:00:00.900Z')
const seconds = Math.floor(at.getTime() / 1000)
const body = Buffer.from('{"id":"evt_1","data":{"text":"Olá ☕","n":12345678901234567890}}')

describe('the signature of an event', () => {
  // rule: signature 1
  test('names the whole second and the lowercase hex digest of a known vector', () => {
    // printf '1772452800.{}' | openssl dgst -sha256 -hmac whsec_test
    expect(signatureOf(Buffer.from('{}'), ['whsec_test'], at)).toBe(
      't=1772452800,v1=b4e756b602ca97865265d9df6d81a4e4ffdc77e40d8142b582cb0d55edb59ca8',
    )
  })

  // rule: signature 2
  test('is accepted by an independent verifier that is given the whole text of the secret', () => {
    const secret = newSigningSecret()
    const event = webhooks.constructEvent(body, signatureOf(body, [secret], at), secret, 300, undefined, at.getTime())
    expect(event.id).toBe('evt_1')
  })

  test('is refused for one other byte, another secret, or a moment too long ago', () => {
    const secret = newSigningSecret()
    const header = signatureOf(body, [secret], at)
    const verify = (given: { body?: Buffer; secret?: string; receivedAt?: number }) => () =>
      webhooks.constructEvent(given.body ?? body, header, given.secret ?? secret, 300, undefined, given.receivedAt ?? at.getTime())
    expect(verify({})).not.toThrow()
    expect(verify({ body: Buffer.concat([body, Buffer.from(' ')]) })).toThrow()
    expect(verify({ secret: newSigningSecret() })).toThrow()
    // rule: signature 3
    expect(verify({ receivedAt: (seconds + 301) * 1000 })).toThrow()
  })

  test('carries one part for each secret, the new one first, and either holder can verify it', () => {
    const [fresh, previous] = [newSigningSecret(), newSigningSecret()]
    const header = signatureOf(body, [fresh, previous], at)
    expect(header.split(',')).toEqual([
      `t=${seconds}`,
      signatureOf(body, [fresh], at).split(',')[1],
      signatureOf(body, [previous], at).split(',')[1],
    ])
    for (const secret of [fresh, previous]) {
      expect(() => webhooks.constructEvent(body, header, secret, 300, undefined, at.getTime())).not.toThrow()
    }
  })
})

test('secrets carry the prefix and never repeat', () => {
  const secrets = Array.from({ length: 100 }, newSigningSecret)
  expect(new Set(secrets).size).toBe(100)
  expect(secrets.every((secret) => /^whsec_[A-Za-z0-9_-]{43}$/.test(secret))).toBe(true)
})
