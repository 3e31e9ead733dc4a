import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createHeard, type Heard } from './heard.ts'

export type ReceivedMail = { from: string; to: string; subject: string; text: string }
export type MailReceiver = { url: string; mails: Heard<ReceivedMail>; close(): Promise<void> }

/** A mail server of this machine that takes everything, or refuses every recipient. */
export async function startMailReceiver({ refuses = false }: { refuses?: boolean } = {}): Promise<MailReceiver> {
  const mails = createHeard<ReceivedMail>('mail', (mail) => mail.subject)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket, refuses, (mail) => mails.add(mail))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function converse(socket: Socket, refuses: boolean, take: (mail: ReceivedMail) => void): void {
  let buffer = ''
  let data: string[] | null = null
  let [from, to] = ['', '']
  const answerTo = (line: string): string => {
    if (/^(EHLO|HELO)/.test(line)) return '250 here'
    if (line.startsWith('MAIL FROM:')) from = /<(.*?)>/.exec(line)?.[1] ?? ''
    if (line.startsWith('RCPT TO:')) {
      if (refuses) return '550 nobody here'
      to = /<(.*?)>/.exec(line)?.[1] ?? ''
    }
    if (line !== 'DATA') return line === 'QUIT' ? '221 bye' : '250 ok'
    data = []
    return '354 go on'
  }
  socket.write('220 test\r\n')
  socket.on('data', (chunk) => {
    buffer += chunk.toString('utf8')
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end)
      buffer = buffer.slice(end + 2)
      if (data === null) socket.write(`${answerTo(line)}\r\n`)
      else if (line === '.') {
        take({ from, to, ...read(data) })
        data = null
        socket.write('250 taken\r\n')
      } else data.push(line)
    }
  })
}

function read(lines: readonly string[]): { subject: string; text: string } {
  const gap = lines.indexOf('')
  const head = lines
    .slice(0, gap)
    .join('\r\n')
    .replaceAll(/\r\n\s+/g, ' ')
  const body = lines.slice(gap + 1).join('\n')
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(head)?.[1]
  const text = encoding === 'base64' ? Buffer.from(body, 'base64').toString('utf8') : encoding === 'quoted-printable' ? quoted(body) : body
  const subject = /^Subject: (.*)$/im.exec(head)?.[1] ?? ''
  return { subject: subject.replaceAll(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_all, word: string) => quoted(word.replaceAll('_', ' '))), text }
}

const quoted = (text: string): string =>
  Buffer.from(
    text.replaceAll('=\n', '').replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')
