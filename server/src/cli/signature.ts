import { createHmac, timingSafeEqual } from 'node:crypto'

/** A receiver refuses events that were signed longer ago, or further ahead, than this. */
const toleranceSeconds = 300

/**
 * What any receiver does: null when `header` (`t=…,v1=…`) signs exactly these bytes with this secret and is fresh, else what is
 * wrong. Shares no code with the side that signs. During a change of secrets one of several `v1` parts is enough.
 */
// rule: signature 3
export function signatureProblem(header: string, rawBody: Buffer, receiver: { secret: string; now: Date }): string | null {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^[0-9]{1,12}$/.test(time)) return 'the header Service-Signature has no time'
  const digest = createHmac('sha256', receiver.secret).update(`${time}.`).update(rawBody).digest()
  const matches = parts.some(([name, hex = '']) => name === 'v1' && isDigest(hex, digest))
  if (!matches) return 'the signature does not match'
  const ageSeconds = Math.abs(receiver.now.getTime() / 1000 - Number(time))
  return ageSeconds > toleranceSeconds ? `the signature is ${Math.round(ageSeconds)} s away from now` : null
}

function isDigest(hex: string, digest: Buffer): boolean {
  const given = Buffer.from(hex, 'hex')
  return /^[0-9a-f]{64}$/.test(hex) && timingSafeEqual(given, digest)
}
