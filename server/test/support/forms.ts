import type { Answer, Call } from './caller.ts'

export type FormPart = {
  name: string
  /** With one it is a file; without, a text. */
  fileName?: string
  bytes: Buffer | string
}
export type Form = { contentType: string; body: Buffer }

const boundary = 'the-boundary-of-the-tests'

/** A form as a client writes it. */
export function formOf(parts: readonly FormPart[]): Form {
  const written = parts.map(({ name, fileName, bytes }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: application/octet-stream`
    return Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ])
  })
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]) }
}

/** POST /v1/media. */
export function upload(call: Call, form: Form, { key }: { key: string | null }): Promise<Answer> {
  return call('POST', '/v1/media', { key, body: form.body, headers: { 'content-type': form.contentType } })
}
