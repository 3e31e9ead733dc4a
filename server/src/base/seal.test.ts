import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { present } from './assert.ts'
import { parseSecretKey, type Sealed, seal, unseal } from './seal.ts'

const newKey = () => present(parseSecretKey(randomBytes(32).toString('base64')), '32 bytes')
const key = newKey()

describe('sealing', () => {
  test.each(['', 'token', 'Olá ☕ 👩‍🚀', 'x'.repeat(10_000)])('gives the same text back (%#)', (text) => {
    expect(unseal(key, seal(key, text))).toBe(text)
  })

  test('hides the text and never writes the same bytes twice', () => {
    const [one, other] = [seal(key, 'a secret token'), seal(key, 'a secret token')]
    expect(one.includes('secret')).toBe(false)
    expect(one.equals(other)).toBe(false)
  })

  test('another key opens nothing', () => {
    expect(() => unseal(newKey(), seal(key, 'token'))).toThrow()
  })

  test('any changed bit is noticed', () => {
    const sealed = seal(key, 'token')
    for (let i = 0; i < sealed.length; i += 1) {
      const changed = Buffer.from(sealed)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => unseal(key, changed as Sealed)).toThrow()
    }
  })

  test.each(['', 'token'])('any missing end is noticed (%j)', (text) => {
    const sealed = seal(key, text)
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => unseal(key, sealed.subarray(0, length) as Sealed)).toThrow()
    }
  })
})

test.each([0, 16, 31, 33, 64])('a key of %i bytes is refused', (bytes) => {
  expect(parseSecretKey(randomBytes(bytes).toString('base64'))).toBeNull()
})
