import { connect } from 'node:net'
import { number, sendBody } from './stage.ts'

/** What a bare TCP client saw: the bytes of the answer and how the connection ended. */
type RawExchange = { text: string; ending: 'closed' | 'reset' }

/** A send over a bare socket. `ended` resolves when the connection has ended; `text` is what came so far. */
export type RawSend = { ended: Promise<RawExchange>; text(): string; open(): boolean }

/** Writes a send by hand; `withBody: false` writes the headers alone and leaves the server waiting for the rest. */
export function rawSend(url: string, to: string, options: { withBody?: boolean } = {}): RawSend {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(sendBody(to))
  const head = [
    `POST /v24.0/${number.phoneNumberId}/messages HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${number.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const socket = connect(Number(port), hostname)
  let text = ''
  let ending: RawExchange['ending'] = 'closed'
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') ending = 'reset'
  })
  const ended = new Promise<RawExchange>((resolve) => socket.on('close', () => resolve({ text, ending })))
  socket.write(`${head.join('\r\n')}\r\n\r\n${options.withBody === false ? '' : body}`)
  return { ended, text: () => text, open: () => !socket.destroyed }
}
