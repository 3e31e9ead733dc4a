import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { SignatureError, type SignatureProblem, type VerifyOptions, verifySignature } from '../src/index.ts'

const secret = 'whsec_of-the-tests'
const body = Buffer.from('{"id":"evt_1","data":{"text":"Olá, 👋"}}')
const signedAt = 1_795_899_600
const at = (seconds: number): VerifyOptions => ({ now: new Date(seconds * 1000) })

/** The digest by Node's own cryptography, which the SDK does not use. */
const digest = (bytes: Uint8Array, time: number | string = signedAt, key = secret) =>
  createHmac('sha256', key).update(`${time}.`).update(bytes).digest('hex')
const headerOf = (bytes: Uint8Array, time = signedAt, key = secret) => `t=${time},v1=${digest(bytes, time, key)}`

async function problem(...given: Parameters<typeof verifySignature>): Promise<SignatureProblem | null> {
  const error: unknown = await verifySignature(...given).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error === null) return null
  if (error instanceof SignatureError) return error.reason
  throw error
}

const bytes = fc.uint8Array({ maxLength: 300 })
const secrets = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' })
const times = fc.integer({ min: 300, max: 4_000_000_000 })

describe('a signature that is accepted', () => {
  test('is any that Node’s own cryptography makes, over any bytes', async () => {
    const right = fc.asyncProperty(bytes, secrets, times, fc.integer({ min: -300, max: 300 }), async (raw, key, time, offSeconds) => {
      expect(await problem(raw, headerOf(raw, time, key), key, at(time + offSeconds))).toBeNull()
    })
    await fc.assert(right)
  })

  // rule: signature 2
  test('is any that the package of another house makes, which accepts the same', async () => {
    const right = fc.asyncProperty(fc.json(), secrets, times, async (payload, key, timestamp) => {
      const header = Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
      expect(await problem(payload, header, key, at(timestamp))).toBeNull()
      expect(Stripe.webhooks.constructEvent(payload, header, key, 300, undefined, timestamp * 1000)).toEqual(JSON.parse(payload))
    })
    await fc.assert(right)
  })

  test('may come as bytes, as a buffer or as text', async () => {
    const buffer = new Uint8Array(body).buffer
    for (const raw of [body, new Uint8Array(body), buffer, body.toString()])
      expect(await problem(raw, headerOf(body), secret, at(signedAt))).toBeNull()
    // A view into a larger buffer is what it shows of it.
    const around = Uint8Array.from([1, 2, ...body, 3])
    const view = around.subarray(2, -1)
    expect(await problem(view, headerOf(body), secret, at(signedAt))).toBeNull()
    expect(await problem(around, headerOf(body), secret, at(signedAt))).toBe('no_match')
  })

  test('may be one of several, at either end of a change of secrets', async () => {
    const both = `t=${signedAt},v1=${digest(body, signedAt, 'whsec_new')},v1=${digest(body, signedAt, 'whsec_old')}`
    for (const known of ['whsec_new', 'whsec_old', ['whsec_other', 'whsec_old']])
      expect(await problem(body, both, known, at(signedAt))).toBeNull()
    expect(await problem(body, both, 'whsec_other', at(signedAt))).toBe('no_match')
    expect(await problem(body, headerOf(body), ['whsec_old', secret], at(signedAt))).toBeNull()
  })

  test('may stand beside a scheme of the future, and in the array that some frameworks make of headers', async () => {
    expect(await problem(body, `${headerOf(body)},v2=whatever`, secret, at(signedAt))).toBeNull()
    expect(await problem(body, [headerOf(body)], secret, at(signedAt))).toBeNull()
  })
})

describe('a signature that is refused', () => {
  test('is one over bytes of which a single bit differs', async () => {
    const flipped = fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), async (raw, which) => {
      const other = Uint8Array.from(raw)
      const i = which % raw.length
      other[i] = (raw[i] ?? 0) ^ (1 << (which % 8))
      expect(await problem(other, headerOf(raw), secret, at(signedAt))).toBe('no_match')
    })
    await fc.assert(flipped)
  })

  test('is one with another secret or for another time', async () => {
    const other = fc.asyncProperty(bytes, secrets, times, async (raw, key, time) => {
      fc.pre(key !== secret)
      expect(await problem(raw, headerOf(raw, time), key, at(time))).toBe('no_match')
      expect(await problem(raw, `t=${time + 1},v1=${digest(raw, time)}`, secret, at(time))).toBe('no_match')
    })
    await fc.assert(other)
  })

  // rule: signature 3
  test('is one that is more than 300 seconds old, or ahead', async () => {
    const header = headerOf(body)
    const verdicts = [-300.001, -300, 300, 300.001].map((off) => problem(body, header, secret, at(signedAt + off)))
    expect(await Promise.all(verdicts)).toEqual(['too_new', null, null, 'too_old'])
    expect(await problem(body, header, secret, { ...at(signedAt + 11), toleranceSeconds: 10 })).toBe('too_old')
    // Without a time it is the machine's own that counts.
    expect(await problem(body, headerOf(body, Math.floor(Date.now() / 1000)), secret)).toBeNull()
    expect(await problem(body, headerOf(body, 1_000_000_000), secret)).toBe('too_old')
  })

  test('is any when the tolerance or the time is no number', async () => {
    expect(await problem(body, headerOf(body), secret, { ...at(signedAt), toleranceSeconds: Number.NaN })).toBe('too_old')
    expect(await problem(body, headerOf(body), secret, at(Number.NaN))).toBe('too_old')
  })

  test.each([null, undefined, '', []])('is none at all: %j', async (header) => {
    expect(await problem(body, header, secret, at(signedAt))).toBe('missing')
  })

  const hex = digest(body)
  test.each([
    ['no time', `v1=${hex}`],
    ['no digest', `t=${signedAt}`],
    ['two times', `t=${signedAt},t=${signedAt},v1=${hex}`],
    ['a time with a sign', `t=+${signedAt},v1=${hex}`],
    ['a time that is no number', `t=${signedAt}x,v1=${hex}`],
    ['an endless time', `t=${'1'.repeat(13)},v1=${hex}`],
    ['a digest in capitals', `t=${signedAt},v1=${hex.toUpperCase()}`],
    ['a digest that is cut off', `t=${signedAt},v1=${hex.slice(0, -1)}`],
    ['a digest that goes on', `t=${signedAt},v1=${hex}0`],
    ['an empty digest', `t=${signedAt},v1=`],
    ['more digests than anyone needs', `t=${signedAt}${`,v1=${hex}`.repeat(9)}`],
    ['something else', 'hello'],
  ])('is one with %s', async (_what, header) => {
    expect(await problem(body, header, secret, at(signedAt))).toBe('malformed')
  })

  test('is anything that was not made with the secret: what is accepted here, the other house accepts too', async () => {
    const parts = fc.constantFrom('t=', `t=${signedAt}`, 'v1=', `v1=${hex}`, `v1=${digest(body, 5)}`, ',', ' ', 'v0=', '=', hex, '\u0000')
    const nothing = fc.asyncProperty(fc.array(parts, { maxLength: 8 }), async (given) => {
      const header = given.join('')
      if ((await problem(body, header, secret, at(signedAt))) !== null) return
      expect(Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, signedAt * 1000)).toBeDefined()
    })
    await fc.assert(nothing, { numRuns: 500 })
  })
})

describe('a mistake of the receiver is no refusal', () => {
  test.each([['' as string], [[]], [['whsec_1', '']]])('a secret that is missing: %j', async (missing) => {
    const anybodys = `t=${signedAt},v1=${digest(body, signedAt, '')}`
    await expect(verifySignature(body, anybodys, missing, at(signedAt))).rejects.toThrow(TypeError)
  })

  test('a body that was parsed before', async () => {
    const parsed = JSON.parse(body.toString()) as never
    await expect(verifySignature(parsed, headerOf(body), secret, at(signedAt))).rejects.toThrow(/exactly as it was received/)
  })
})
