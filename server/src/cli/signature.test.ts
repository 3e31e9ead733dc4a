import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signatureProblem } from './signature.ts'

const secret = 'whsec_abc'
const body = Buffer.from('{"text":"olá"}')
const seconds = 1_772_452_800
const now = new Date(seconds * 1000)
const sign = (bytes: Buffer, t: number, key = secret) => createHmac('sha256', key).update(`${t}.`).update(bytes).digest('hex')
const good = `t=${seconds},v1=${sign(body, seconds)}`

// rule: signature 3
describe('a receiver', () => {
  test('accepts exactly the signed bytes', () => {
    expect(signatureProblem(good, body, { secret, now })).toBeNull()
  })

  test('accepts what another program computed', () => {
    // printf '1772452800.{"a":1}' | openssl dgst -sha256 -hmac whsec_abc
    const header = 't=1772452800,v1=7fc435dcaff1ac61215d3d7ac50dccc1825cd9d9582a829685807347fbb7fe8d'
    expect(signatureProblem(header, Buffer.from('{"a":1}'), { secret, now })).toBeNull()
  })

  test('accepts one of two secrets during a change', () => {
    const header = `t=${seconds},v1=${sign(body, seconds, 'whsec_new')},v1=${sign(body, seconds)}`
    expect(signatureProblem(header, body, { secret, now })).toBeNull()
  })

  test.each([
    ['other bytes', good, Buffer.from('{"text": "olá"}')],
    ['another secret', `t=${seconds},v1=${sign(body, seconds, 'whsec_other')}`, body],
    ['another time', good.replace(`t=${seconds}`, `t=${seconds + 1}`), body],
    ['half a digest', good.slice(0, -2), body],
    ['upper case', `t=${seconds},v1=${sign(body, seconds).toUpperCase()}`, body],
    ['no digest', `t=${seconds}`, body],
    ['no time', `v1=${sign(body, seconds)}`, body],
    ['nothing', '', body],
  ])('refuses %s', (_what, header, bytes) => {
    expect(signatureProblem(header, bytes, { secret, now })).not.toBeNull()
  })

  test.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('of an event that is %d seconds from now: accepted is %s', (offset, accepted) => {
    const t = seconds + offset
    expect(signatureProblem(`t=${t},v1=${sign(body, t)}`, body, { secret, now }) === null).toBe(accepted)
  })
})
