import { request } from 'undici'
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/simulator.ts'
import { openCallback, type TestCallback } from './callback.ts'

/** The number that every test has. */
export const number = { phoneNumberId: '118350927764405', wabaId: '204817396550128', displayDigits: '15550104477', token: 'token-one' }

/** A simulator, a callback, and the calls that a gateway makes. */
export type Stage = {
  simulator: Simulator
  callback: TestCallback
  /** Sends a text, or the content given in its place, and tells the HTTP answer. */
  send(to: string, content?: object): Promise<Answer>
  call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, token?: string): Promise<Answer>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Answer = { status: number; type: string; text: string; json: any; headers: { [name: string]: unknown } }

/** Statuses follow one another without a gap, the WABA is subscribed, and a notice is repeated after a few milliseconds. */
export async function setStage(options: SimulatorOptions = {}): Promise<Stage> {
  const callback = await openCallback()
  const simulator = await startSimulator({
    callbackUrl: callback.url,
    appSecret: 'secret-of-the-app',
    verifyToken: 'verify-me',
    numbers: [{ ...number, subscribed: true }],
    statusGapMs: 0,
    notices: { firstGapMs: 4 },
    ...options,
  })
  const call: Stage['call'] = async (method, path, body, token = number.token) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await request(simulator.url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const text = await answer.body.text()
    return { status: answer.statusCode, type: String(answer.headers['content-type']), text, json: parse(text), headers: answer.headers }
  }
  const send: Stage['send'] = (to, content = {}) => call('POST', `/v24.0/${number.phoneNumberId}/messages`, sendBody(to, content))
  const close = async () => {
    await simulator.close()
    await callback.close()
  }
  return { simulator, callback, send, call, close }
}

/** What is uploaded, and what the upload says of it. `null` leaves a part of the form out. */
export type UploadParts = {
  bytes?: Buffer | null
  mimeType?: string | null
  partType?: string
  fileName?: string
  messagingProduct?: string | null
}

/** Uploads a file as a gateway does; a small JPEG unless the parts say something else. */
export async function upload(
  stage: Stage,
  parts: UploadParts = {},
  from: { phoneNumberId: string; token: string } = number,
): Promise<Answer> {
  const { bytes = Buffer.from('a picture'), mimeType = 'image/jpeg', fileName = 'picture.jpg', messagingProduct = 'whatsapp' } = parts
  const form = new FormData()
  if (messagingProduct !== null) form.set('messaging_product', messagingProduct)
  if (mimeType !== null) form.set('type', mimeType)
  if (bytes !== null) form.set('file', new Blob([new Uint8Array(bytes)], { type: parts.partType ?? mimeType ?? 'image/jpeg' }), fileName)
  // Written out first: undici's own writing of a form never ends outside of Vitest.
  const written = new Response(form)
  const headers = { authorization: `Bearer ${from.token}`, 'content-type': String(written.headers.get('content-type')) }
  const body = Buffer.from(await written.arrayBuffer())
  const answer = await request(`${stage.simulator.url}/v24.0/${from.phoneNumberId}/media`, { method: 'POST', headers, body })
  const text = await answer.body.text()
  return { status: answer.statusCode, type: String(answer.headers['content-type']), text, json: parse(text), headers: answer.headers }
}

/** Fetches a file by its link. The bytes are what came, though the connection ended too early; `whole` says whether it did not. */
export async function fetchFile(
  url: string,
  headers: { [name: string]: string } = { authorization: `Bearer ${number.token}`, 'user-agent': 'test' },
): Promise<{ status: number; type: string; bytes: Buffer; whole: boolean }> {
  const answer = await request(url, { headers })
  const chunks: Buffer[] = []
  let whole = true
  try {
    for await (const chunk of answer.body) chunks.push(chunk as Buffer)
  } catch {
    whole = false
  }
  return { status: answer.statusCode, type: String(answer.headers['content-type']), bytes: Buffer.concat(chunks), whole }
}

/** The body of a send; a text unless `content` says something else. */
export function sendBody(to: string, content: object = {}): object {
  return { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'Oi' }, biz_opaque_callback_data: 'message.1', ...content }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
