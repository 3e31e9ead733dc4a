import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MailReceiver, startMailReceiver } from '../../../test/support/mail-receiver.ts'
import { type ManualClock, manualClock, systemClock } from '../../base/clock.ts'
import { createMailer, type Mail, type MailObservation, securityOf } from './mail.ts'

let receiver: MailReceiver
beforeAll(async () => {
  receiver = await startMailReceiver()
})
afterAll(() => receiver.close())

const mail: Mail = {
  by: 'anybody',
  to: 'ana@example.com',
  subject: 'Olá, você',
  text: 'Abra este link:\n\nhttps://console.example/sign-in/link#abc\n',
}

function mailer(smtpUrl: string | null, clock: ReturnType<typeof systemClock> | ManualClock = systemClock()) {
  const observed: MailObservation[] = []
  const send = createMailer({ clock, observe: (each) => observed.push(each) }, { smtpUrl, from: 'Pombo <pombo@example.com>' })
  return { send, observed }
}

test('a mail is taken by the server, with its words', async () => {
  const { send, observed } = mailer(receiver.url)
  expect(await send(mail)).toBe(true)
  const { text, ...rest } = await receiver.mails.until(() => true)
  expect(rest).toEqual({ from: 'pombo@example.com', to: 'ana@example.com', subject: 'Olá, você' })
  expect(text.trim()).toBe(mail.text.trim())
  expect(observed).toMatchObject([{ kind: 'mail.sent' }])
})

test('without a server nothing is sent', async () => {
  const { send, observed } = mailer(null)
  expect([await send(mail), observed]).toEqual([false, []])
})

test('a server that refuses, and one that is away, are observed without a word of the mail', async () => {
  const refusing = await startMailReceiver({ refuses: true })
  const away = createServer()
  await new Promise<void>((resolve) => away.listen(0, '127.0.0.1', resolve))
  const { port } = away.address() as AddressInfo
  await new Promise((resolve) => away.close(resolve))
  for (const [url, code] of [
    [refusing.url, 'EENVELOPE'],
    [`smtp://127.0.0.1:${port}`, 'ESOCKET'],
  ] as const) {
    const { send, observed } = mailer(url)
    expect(await send(mail)).toBe(false)
    expect(observed).toMatchObject([{ kind: 'mail.failed', code }])
    expect(JSON.stringify(observed)).not.toContain('ana@')
  }
  await refusing.close()
})

test('a server that takes the connection and says nothing holds three mails of strangers for seconds and lets fifty wait; the rest fail at once', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const clock = manualClock('2026-11-27T21:11:41.747Z')
  const { send, observed } = mailer(`smtp://127.0.0.1:${port}`, clock)
  const sent = Array.from({ length: 60 }, (_, i) => send({ ...mail, to: `pessoa-${i}@example.com` }))
  expect(await Promise.all(sent.slice(53))).toEqual(Array(7).fill(false))
  expect(observed.map((each) => each.kind === 'mail.failed' && each.code)).toEqual(Array(7).fill('TOO_MANY_WAIT'))
  while (observed.length < 60) {
    clock.advance(20_000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(sent)).toEqual(Array(60).fill(false))
  silent.close()
})

test('while strangers wait for a slow mail server, an alert is on its way at once', async () => {
  const hung = createServer((socket) => sockets.push(socket))
  const sockets: Socket[] = []
  const connected = (count: number) => vi.waitFor(() => expect(sockets.length).toBe(count))
  await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve))
  const { send } = mailer(`smtp://127.0.0.1:${(hung.address() as AddressInfo).port}`)
  const sent = Array.from({ length: 20 }, (_, i) => send({ ...mail, to: `pessoa-${i}@example.com` }))
  await connected(3)
  sent.push(send({ ...mail, by: 'alert' }))
  await connected(4)
  hung.close()
  for (const socket of sockets) socket.destroy()
  expect(await Promise.all(sent)).toEqual(Array(21).fill(false))
})

test('one address gets twenty mails an hour of what strangers ask for, and those of members and alerts beside them', async () => {
  const clock = manualClock('2026-11-27T21:11:41.747Z')
  const { send, observed } = mailer(receiver.url, clock)
  const before = receiver.mails.all.length
  for (let i = 0; i < 22; i += 1) expect(await send({ ...mail, to: i % 2 ? 'BIA@example.com' : 'bia@example.com' })).toBe(i < 20)
  expect(receiver.mails.all.length - before).toBe(20)
  expect(observed.at(-1)).toMatchObject({ kind: 'mail.failed', code: 'TOO_MANY_TO_ONE' })
  for (const by of ['member', 'alert'] as const) expect(await send({ ...mail, by, to: 'bia@example.com' })).toBe(true)
  expect(await send(mail)).toBe(true)
  clock.advance(3_600_000)
  expect(await send({ ...mail, to: 'bia@example.com' })).toBe(true)
})

test('a mail leaves this machine encrypted or not at all, unless the operator says otherwise', () => {
  expect(securityOf('smtp://mail.example:587')).toEqual({ url: 'smtp://mail.example:587', requireTLS: true })
  expect(securityOf('smtp://mail.example:587?tls=optional')).toEqual({ url: 'smtp://mail.example:587', requireTLS: false })
  for (const url of ['smtp://127.0.0.1:25', 'smtp://localhost', 'smtp://[::1]:25', 'smtps://mail.example'])
    expect(securityOf(url)).toEqual({ url, requireTLS: false })
})

test('a server that does not encrypt is not given a mail where encryption is required', async () => {
  // Any name but this machine's own; it leads here all the same.
  const { send, observed } = mailer(receiver.url.replace('127.0.0.1', '0.0.0.0'))
  const before = receiver.mails.all.length
  expect(await send(mail)).toBe(false)
  expect([receiver.mails.all.length - before, observed]).toMatchObject([0, [{ kind: 'mail.failed' }]])
})
