/** The exact bytes of the body, before anything has parsed it; a text only where the framework gives nothing else. */
export type RawBody = Uint8Array | ArrayBuffer | string

export type SignatureProblem = 'missing' | 'malformed' | 'no_match' | 'too_old' | 'too_new'

/** The event is not to be believed: answer 400 and do nothing with it. */
export class SignatureError extends Error {
  readonly reason: SignatureProblem

  constructor(reason: SignatureProblem) {
    super(words[reason])
    this.name = 'SignatureError'
    this.reason = reason
  }
}

const words: Readonly<Record<SignatureProblem, string>> = {
  missing: 'There is no Service-Signature header.',
  malformed: 'The Service-Signature header is not t=<seconds>,v1=<digest>.',
  no_match: 'No signature fits the body and the secret: is this the exact body as received, and the secret of this webhook?',
  too_old: 'The signature was made too long ago.',
  too_new: 'The signature was made in the future: are the clocks right?',
}

export type VerifyOptions = {
  /** How far the time of the signature may be from now, either way. 300 unless said otherwise. */
  toleranceSeconds?: number
  /** Instead of the time of this machine. */
  now?: Date
}

/** During a change of secrets a gateway sends two; whoever sends more wants us to calculate. */
const signaturesMax = 8

/**
 * Resolves when `header` (`Service-Signature`) signs exactly this body with one of the secrets and is fresh; rejects with SignatureError
 * otherwise, so that a caller who forgets to look goes no further. Compares in constant time.
 */
export async function verifySignature(
  rawBody: RawBody,
  header: string | readonly string[] | null | undefined,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<void> {
  const { time, signatures } = readHeader(header)
  const signed = joined(`${time}.`, bytesOf(rawBody))
  const checks = checkedSecrets(secrets).map((secret) => anyFits(signed, signatures, secret))
  if (!(await Promise.all(checks)).includes(true)) throw new SignatureError('no_match')
  const ageSeconds = now.getTime() / 1000 - Number(time)
  // Written so that a tolerance or a time that is no number refuses.
  if (!(ageSeconds <= toleranceSeconds)) throw new SignatureError('too_old')
  if (!(ageSeconds >= -toleranceSeconds)) throw new SignatureError('too_new')
}

type Header = { time: string; signatures: Uint8Array<ArrayBuffer>[] }

/** Parts of other schemes than v1 are passed over: a later gateway may add one. */
function readHeader(header: string | readonly string[] | null | undefined): Header {
  const text = typeof header === 'string' ? header : (header ?? []).join(',')
  if (text === '') throw new SignatureError('missing')
  const parts = text.split(',').map((part) => part.trim())
  const [time, ...moreTimes] = valuesOf(parts, 't')
  const signatures = valuesOf(parts, 'v1')
  if (time === undefined || moreTimes.length > 0 || !/^[0-9]{1,12}$/.test(time)) throw new SignatureError('malformed')
  if (signatures.length === 0 || signatures.length > signaturesMax) throw new SignatureError('malformed')
  if (!signatures.every((each) => /^[0-9a-f]{64}$/.test(each))) throw new SignatureError('malformed')
  return { time, signatures: signatures.map(bytesOfHex) }
}

function valuesOf(parts: readonly string[], name: string): string[] {
  return parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
}

async function anyFits(signed: Uint8Array<ArrayBuffer>, signatures: readonly Uint8Array<ArrayBuffer>[], secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
  const fits = await Promise.all(signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, signed)))
  return fits.includes(true)
}

/** An empty secret comes from a setting that is not set; anybody could sign with it. */
function checkedSecrets(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets
  if (!Array.isArray(list) || list.length === 0 || !list.every((each) => typeof each === 'string' && each !== ''))
    throw new TypeError('The secret of the webhook is missing: whsec_….')
  return list
}

/** The bytes that are verified. A body that was parsed before cannot be: it does not have its bytes any more. */
export function bytesOf(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (rawBody instanceof Uint8Array) return rawBody
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  throw new TypeError('The raw body is needed, as bytes or text, exactly as it was received; not what a JSON parser made of it.')
}

function joined(head: string, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(new TextEncoder().encode(head))
  bytes.set(tail, head.length)
  return bytes
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
}
