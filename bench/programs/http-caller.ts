import { connect, type Socket } from 'node:net'

/** One connection that carries one call at a time. */
export type HttpCaller = {
  /** Sends these bytes, a whole request, and answers the status; rejects when the connection breaks. */
  call(request: Buffer): Promise<number>
  close(): void
}

/**
 * As little of an HTTP client as will do, because it runs on the same cores as what is measured: it reads the status and skips as many
 * bytes as `content-length` says. An answer in chunks is an error.
 */
export async function openCaller(origin: string): Promise<HttpCaller> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | null = null
  let held = ''
  const fail = (error: Error) => {
    waiting?.reject(error)
    waiting = null
  }
  socket.on('error', fail).on('close', () => fail(new Error('the connection was closed')))
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    held += chunk
    const status = wholeAnswer(held)
    if (status === null) return
    held = ''
    const { resolve } = waiting ?? { resolve: () => {} }
    waiting = null
    resolve(status)
  })
  return { call: (request) => sendOver(socket, request, (each) => (waiting = each)), close: () => socket.destroy() }
}

function sendOver(
  socket: Socket,
  request: Buffer,
  wait: (waiting: { resolve: (status: number) => void; reject: (error: Error) => void }) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    wait({ resolve, reject })
    socket.write(request)
  })
}

/** The status of an answer that is there as a whole; null while some of it is missing. */
function wholeAnswer(text: string): number | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const status = Number(text.slice(9, 12))
  const length = /\r\ncontent-length: *([0-9]+)/i.exec(text.slice(0, headEnd))?.[1]
  if (length === undefined && status !== 204) throw new Error(`an answer without a length: ${text.slice(0, headEnd)}`)
  return text.length >= headEnd + 4 + Number(length ?? 0) ? status : null
}
