import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call and its answer, as they passed by. Bodies are parsed where they are JSON; a form is an object of its fields. */
export type Exchange = {
  /** What was being tried, and by whom. */
  label: string
  method: string
  path: string
  requestType: string
  request: unknown
  status: number
  answer: unknown
}

/** Stands between a caller and the simulator and writes down what passes. */
export type Recorder = { url: string; exchanges: readonly Exchange[]; label: string; close(): Promise<void> }

/** Listens on a port of the system's choice and passes everything on to `target`. */
export async function startRecorder(target: string): Promise<Recorder> {
  const exchanges: Exchange[] = []
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { label } = recorder
    const { method = 'GET', url = '/' } = request
    const requestType = String(request.headers['content-type'] ?? '')
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: headersOf(request),
      ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const type = answer.headers.get('content-type') ?? ''
    response.writeHead(answer.status, { 'content-type': type }).end(bytes)
    const path = url.split('?')[0] ?? url
    const request_ = await contentOf(body, requestType)
    exchanges.push({
      label,
      method,
      path,
      requestType: requestType.split(';')[0] ?? '',
      request: request_,
      status: answer.status,
      answer: await contentOf(bytes, type),
    })
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  const recorder: Recorder = {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    label: '',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return recorder
}

/** What belongs to one connection does not go on; links in answers then point to the simulator itself, which is where files may come from. */
function headersOf(request: IncomingMessage): [string, string][] {
  const own = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']
  return Object.entries(request.headers).flatMap(([name, value]) =>
    own.includes(name) || value === undefined ? [] : [[name, String(value)]],
  )
}

async function contentOf(body: Buffer, type: string): Promise<unknown> {
  if (body.length === 0) return undefined
  if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    return Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : '(bytes)']))
  }
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
