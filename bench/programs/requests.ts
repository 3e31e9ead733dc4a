import { createHmac } from 'node:crypto'

/** What is posted. `run` makes keys and ids of one run differ from those of every other. */
export type Work =
  | { kind: 'send'; run: string; senders: readonly Sender[] }
  | { kind: 'notice'; run: string; appSecret: string; bytes: number; numbers: readonly NoticeNumber[] }

export type Sender = { key: string; channelId: string; people: readonly string[] }
export type NoticeNumber = { phoneNumberId: string; wabaId: string; displayDigits: string; people: readonly string[] }

/** The bytes of call number `i` on a connection: the senders and their people in turns. */
export function requestOf(work: Work, origin: string, i: number): Buffer {
  return work.kind === 'send' ? sendRequest(work, origin, i) : noticeRequest(work, origin, i)
}

function sendRequest({ run, senders }: Extract<Work, { kind: 'send' }>, origin: string, i: number): Buffer {
  const sender = senders[i % senders.length]
  const to = sender?.people[Math.floor(i / senders.length) % sender.people.length]
  const body = JSON.stringify({
    to: `+${to}`,
    channel_id: sender?.channelId,
    type: 'text',
    text: { body: `Olá! O seu pedido ${i} saiu para entrega e chega hoje até as 18h.` },
    client_reference: `${run}-${i}`,
  })
  const headers = { authorization: `Bearer ${sender?.key}`, 'content-type': 'application/json', 'idempotency-key': `${run}-${i}` }
  return post(`${origin}/v1/messages`, headers, Buffer.from(body))
}

/** One text that a person has written, as long as `bytes` say. */
function noticeRequest(work: Extract<Work, { kind: 'notice' }>, origin: string, i: number): Buffer {
  const { run, appSecret, bytes, numbers } = work
  const number = numbers[i % numbers.length] ?? { phoneNumberId: '', wabaId: '', displayDigits: '', people: [] }
  const from = number.people[Math.floor(i / numbers.length) % number.people.length] ?? ''
  const empty = noticeText(number, [{ from, wamid: `wamid.${run}.${i}`, text: '' }])
  const text = 'Oi, tudo bem? '.padEnd(Math.max(14, bytes - empty.length), 'x')
  return signedPost(origin, Buffer.from(noticeText(number, [{ from, wamid: `wamid.${run}.${i}`, text }])), appSecret)
}

type Written = { from: string; wamid: string; text: string }

/** The body of a notice, as the platform words it. */
export function noticeText({ phoneNumberId, wabaId, displayDigits }: NoticeNumber, written: readonly Written[]): string {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: displayDigits, phone_number_id: phoneNumberId },
    contacts: written.map(({ from }) => ({ profile: { name: 'Maria Silva' }, wa_id: from })),
    messages: written.map(({ from, wamid, text }) => ({ from, id: wamid, timestamp, type: 'text', text: { body: text } })),
  }
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: wabaId, changes: [{ value, field: 'messages' }] }] })
}

export function signedPost(origin: string, body: Buffer, appSecret: string): Buffer {
  const signature = `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`
  return post(`${origin}/upstream/notices`, { 'content-type': 'application/json', 'x-hub-signature-256': signature }, body)
}

function post(url: string, headers: Record<string, string>, body: Buffer): Buffer {
  const { host, pathname } = new URL(url)
  const lines = Object.entries({ host, ...headers, 'content-length': String(body.length) }).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`POST ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body])
}
