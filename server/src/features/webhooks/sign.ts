import { createHmac, randomBytes } from 'node:crypto'

/** A new signing secret: shown once to the customer, kept sealed. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/**
 * The value of the `Service-Signature` header: the moment, and one digest for each secret in the order given (the newest first). Made afresh
 * for each attempt, because receivers refuse a `t` that is more than five minutes off.
 */
export function signatureOf(body: Buffer, secrets: readonly string[], at: Date): string {
  // rule: signature 1
  // rule: signature 3. Whole seconds; a repeat hours later carries its own moment.
  const t = Math.floor(at.getTime() / 1000)
  return [`t=${t}`, ...secrets.map((secret) => `v1=${digest(body, secret, t)}`)].join(',')
}

/** rule: signature 2. The whole text of the secret is the key, prefix included; the body goes in as the bytes that are sent. */
function digest(body: Buffer, secret: string, t: number): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
}
