import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import fc, { type Arbitrary } from 'fast-check'

/** Bytes that are nearly a request, or none at all. */
export const rawBytes: Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({
      line: fc.constantFrom(
        ...[
          'GET /v1/channels HTTP/1.1',
          'GET /v1/channels HTTP/1.0',
          'POST /v1/messages HTTP/1.1',
          'GET http://other/v1/channels HTTP/1.1',
        ],
        ...[
          'CONNECT a:1 HTTP/1.1',
          'PRI * HTTP/2.0',
          'GET / HTTP/9.9',
          'get /v1/channels HTTP/1.1',
          'GET  /v1/channels HTTP/1.1',
          'GET /\x00 HTTP/1.1',
        ],
      ),
      headers: fc.uniqueArray(
        fc.constantFrom(
          ...[
            'Host: x',
            'Host: y',
            'Content-Length: 5',
            'Content-Length: 0',
            'Content-Length: -1',
            'Content-Length: 99999999999',
            'Content-Length: x',
          ],
          ...[
            'Transfer-Encoding: chunked',
            'Transfer-Encoding: gzip',
            'Transfer-Encoding: chunked, chunked',
            'Connection: close',
            'Connection: upgrade',
          ],
          ...[
            'Upgrade: websocket',
            'Upgrade: h2c',
            'Expect: 100-continue',
            'Expect: x',
            'Content-Type: application/json',
            'X: \u00ff',
            ': x',
            'X',
            ' folded',
          ],
          `X-Long: ${'x'.repeat(20_000)}`,
        ),
        { maxLength: 6 },
      ),
      end: fc.constantFrom('\r\n\r\n', '\n\n', '\r\n', ''),
      body: fc.constantFrom(
        '',
        'hello',
        '{}',
        '5\r\nhello\r\n0\r\n\r\n',
        '5\r\nhel',
        'FFFFFFFFFFFFFFFF\r\n',
        'GET /v1/channels HTTP/1.1\r\n\r\n',
      ),
    })
    .map(({ line, headers, end, body }) => Buffer.from([line, ...headers].join('\r\n') + end + body, 'latin1')),
)

/** Far more than it takes, so that only what hangs is found. */
const answerMsMax = 60_000

/** Sends the bytes, says that this was all, and answers what came back until the other side has ended too. */
export async function exchange(port: number, bytes: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(answerMsMax, () => socket.destroy(new Error(`the connection was not ended within ${answerMsMax / 1000} seconds`)))
  await once(socket, 'connect')
  socket.end(bytes)
  // A connection may be cut instead of answered.
  return buffer(socket).then(
    (answer) => answer.toString('latin1'),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return ''
      throw error
    },
  )
}

/** Each answer is the caller's fault, in the envelope or of a kind without a body; never ours. */
export function judgeRaw(answer: string): void {
  for (const [, status = ''] of answer.matchAll(/^HTTP\/1\.[01] (\d{3})/gm))
    if (status.startsWith('5')) throw new Error(`it is answered ${status}: ${answer.slice(0, 300)}`)
  if (answer !== '' && !answer.startsWith('HTTP/1.1 ')) throw new Error(`it is answered with no HTTP: ${answer.slice(0, 100)}`)
}
