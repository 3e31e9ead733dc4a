import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailReceiver, startMailReceiver } from '../../../test/support/mail-receiver.ts'
import { createMailer, type MailObservation } from './mail.ts'

let receiver: MailReceiver
beforeAll(async () => {
  receiver = await startMailReceiver()
})
afterAll(() => receiver.close())

const mail = { to: 'ana@example.com', subject: 'Olá, você', text: 'Abra este link:\n\nhttps://console.example/sign-in/link#abc\n' }

function mailer(smtpUrl: string | null) {
  const observed: MailObservation[] = []
  const send = createMailer(
    { monotonicMs: () => performance.now(), observe: (each) => observed.push(each) },
    { smtpUrl, from: 'Pombo <pombo@example.com>' },
  )
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
