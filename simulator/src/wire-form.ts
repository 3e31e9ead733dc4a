import { createHmac } from 'node:crypto'

/**
 * Escapes JSON text as the platform does: characters outside ASCII as `\uXXXX` with lower-case hex, `/` as `\/`. The meaning stays the same.
 * An escape that is already there is left alone, which is why pairs that begin with a backslash are matched first.
 */
export function escapeAsPlatform(json: string): string {
  return json.replace(/\\[\s\S]|[/\u0080-\uffff]/g, (found) => {
    if (found.startsWith('\\')) return found
    if (found === '/') return '\\/'
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** Drops the white space between the parts of JSON text. Numbers too large for JavaScript stay digit for digit. */
export function compactJson(json: string): string {
  return json.replace(/"(?:\\.|[^"\\])*"|\s+/g, (found) => (found.startsWith('"') ? found : ''))
}

/** The value of `X-Hub-Signature-256` for exactly this body. */
export function signatureOf(body: string | Buffer, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
}
