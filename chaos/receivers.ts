import { createServer, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { randomOf } from './random.ts'
import { openLines } from './run-folder.ts'

/**
 * Customers' receivers of events, as a program: `receivers.ts FILE SEED`. One port, as many addresses as anyone likes: the first part of the path
 * says how it answers (`ok`, `slow`, `sometimes` a 500, `flapping`: all 500 for a while, `hangs-up`; and where the others are judged: `hangs` for ever, `drips`,
 * `floods`), the rest only tells them apart. Every receipt is written to FILE,
 * before it is answered. Prints its address; ends on SIGTERM.
 */
const [, , file = '', seed = '1'] = process.argv
const random = randomOf(Number(seed))
const lines = openLines(file)

/** Ten seconds well, two badly. */
const flapping = { everyMs: 12_000, badMs: 2_000 }

function answerOf(path: string): { status: number | null; afterMs: number } {
  switch (path.split('/')[1]) {
    case 'slow':
      return { status: 204, afterMs: random.whole(10, 120) }
    case 'sometimes':
      return { status: random.fraction() < 0.01 ? 500 : 200, afterMs: 0 }
    case 'flapping':
      return { status: Date.now() % flapping.everyMs < flapping.badMs ? 503 : 200, afterMs: 0 }
    case 'hangs-up':
      return { status: random.fraction() < 0.01 ? null : 200, afterMs: 0 }
    default:
      return { status: 204, afterMs: 0 }
  }
}

const dripMs = 200
const flood = Buffer.alloc(1024 * 1024, 'x')

/** Answers in a way that has no end, where the path asks for it. */
function answerBadly(kind: string, response: ServerResponse): boolean {
  if (kind === 'drips') {
    response.writeHead(200)
    const dripping = setInterval(() => response.write('x'), dripMs)
    response.once('close', () => clearInterval(dripping))
  } else if (kind === 'floods') {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && response.write(flood));
    }
    response.on('drain', more)
    more()
  }
  return kind === 'drips' || kind === 'floods' || kind === 'hangs'
}

const server = createServer((request, response) => {
  const path = request.url ?? ''
  if (answerBadly(path.split('/')[1] ?? '', response)) return void request.resume()
  buffer(request).then(
    (body) => {
      const { status, afterMs } = answerOf(path)
      const header = (name: string) => String(request.headers[name] ?? '')
      lines.write({
        atMs: Date.now(),
        monotonicMs: Number(process.hrtime.bigint()) / 1e6,
        path,
        signature: header('service-signature'),
        eventId: header('service-event-id'),
        type: header('service-event-type'),
        body: body.toString(),
        answered: status,
      })
      setTimeout(() => (status === null ? response.destroy() : response.writeHead(status).end()), afterMs)
    },
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.stdout.write(`{"url":"http://127.0.0.1:${address.port}"}\n`)
})
process.on('SIGTERM', () => {
  lines.close()
  process.exit(0)
})
