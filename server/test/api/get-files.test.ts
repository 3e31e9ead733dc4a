import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import { movie, ogg, ooxml, pdf, png, webp } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())
// A key has thirty uploads a minute.
beforeEach(async () => {
  account = await gateway.account()
})

async function stored(bytes: Buffer, fileName = 'arquivo', key = account.live) {
  const { body } = await upload(gateway.call, formOf([{ name: 'file', fileName, bytes }]), { key })
  return { path: new URL(body.url).pathname, id: body.id as string }
}
const text = Buffer.from('0123456789abcdefghij')

// rule: files 1
describe('200', () => {
  test('with the bytes, without a key, to whoever has the url; the name in it does not matter', async () => {
    const bytes = movie({ dataBytes: 300_000 })
    const { path } = await stored(bytes, 'filme.mp4')
    const answer = await gateway.call('GET', path)
    expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true])
    expect(answer.headers['content-length']).toBe(String(bytes.length))
    const renamed = await gateway.call('GET', path.replace('filme', 'outro'))
    expect([renamed.status, renamed.bytes.equals(bytes)]).toEqual([200, true])
  })

  test('HEAD has the headers of GET and no bytes', async () => {
    const { path } = await stored(pdf())
    const [head, get] = [await gateway.call('HEAD', path), await gateway.call('GET', path)]
    const { 'request-id': _one, date: _two, connection: _three, ...headers } = head.headers
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(get.headers).toMatchObject(headers)
    expect(head.headers['content-length']).toBe(String(pdf().length))
  })
})

// rule: files 3
describe('the headers', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  test.each([
    ['an image', png(), 'foto.png', 'inline', 'image/png'],
    ['a sticker', webp(), 'a.webp', 'inline', 'image/webp'],
    ['audio', ogg('opus'), 'a.ogg', 'inline', 'audio/ogg; codecs=opus'],
    ['a video', movie(), 'a.mp4', 'inline', 'video/mp4'],
    ['a PDF', pdf('outro'), 'a.pdf', 'inline', 'application/pdf'],
    ['a Word document', ooxml('word'), 'a.docx', 'attachment', word],
    ['text', text, 'a.txt', 'attachment', 'text/plain; charset=utf-8'],
    ['a page, as text', Buffer.from('<!doctype html><script>alert(1)</script>'), 'a.html', 'attachment', 'text/plain; charset=utf-8'],
    [
      'SVG, as text',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      'a.svg',
      'attachment',
      'text/plain; charset=utf-8',
    ],
  ])('of %s', async (_what, bytes, name, disposition, type) => {
    const { headers } = await gateway.call('GET', (await stored(bytes, name)).path)
    expect(headers['content-type']).toBe(type)
    expect(headers['content-disposition']).toBe(`${disposition}; filename="${name}"; filename*=UTF-8''${name}`)
    expect(headers['content-security-policy']).toBe('sandbox')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cache-control']).toBe('private, max-age=31536000, immutable')
    expect(headers['accept-ranges']).toBe('bytes')
    expect(headers['referrer-policy']).toBe('no-referrer')
  })

  test('give a name in every alphabet, and nothing that could end the header', async () => {
    const { path } = await stored(png(77), `relatório (1) 'a' 日本.png`)
    const { headers } = await gateway.call('GET', path)
    expect(headers['content-disposition']).toBe(
      `inline; filename="relat_rio (1) 'a' __.png"; filename*=UTF-8''relat%C3%B3rio%20%281%29%20%27a%27%20%E6%97%A5%E6%9C%AC.png`,
    )
  })
})

// rule: files 2
describe('206', () => {
  test.each([
    ['bytes=0-4', '01234', '0-4'],
    ['bytes=5-5', '5', '5-5'],
    ['bytes=15-', 'fghij', '15-19'],
    ['bytes=15-19', 'fghij', '15-19'],
    ['bytes=15-99', 'fghij', '15-19'],
    ['bytes=-3', 'hij', '17-19'],
    ['bytes=-99', text.toString(), '0-19'],
    ['bytes=0-', text.toString(), '0-19'],
  ])('for %s', async (range, words, written) => {
    const { path } = await stored(text)
    const answer = await gateway.call('GET', path, { headers: { range } })
    expect([answer.status, answer.text]).toEqual([206, words])
    expect(answer.headers['content-range']).toBe(`bytes ${written}/20`)
    expect(answer.headers['content-length']).toBe(String(words.length))
  })

  test('only while the file is the one that was meant', async () => {
    const { path } = await stored(text)
    const { headers } = await gateway.call('GET', path)
    const asked = (ifRange: string) => gateway.call('GET', path, { headers: { range: 'bytes=0-1', 'if-range': ifRange } })
    expect((await asked(headers.etag ?? '')).status).toBe(206)
    expect((await asked('"another"')).status).toBe(200)
  })

  test.each(['bytes=0-1,5-6', 'bytes=', 'bytes=-', 'bytes=9-3', 'lines=0-1', 'bytes=a-b'])(
    'is not the answer to %s: all of the file is',
    async (range) => {
      const { path } = await stored(text)
      const answer = await gateway.call('GET', path, { headers: { range } })
      expect([answer.status, answer.text]).toEqual([200, text.toString()])
    },
  )
})

test.each(['bytes=20-', 'bytes=20-30', 'bytes=-0'])('416 for %s, which lies behind the end', async (range) => {
  const { path } = await stored(text)
  const answer = await gateway.call('GET', path, { headers: { range } })
  expect([answer.status, answer.headers['content-range'], answer.body.error.code]).toEqual([416, 'bytes */20', 'invalid_request'])
  expect(answer.headers['cache-control']).toBeUndefined()
})

test('304 for whoever has it already', async () => {
  const { path } = await stored(text)
  const { headers } = await gateway.call('GET', path)
  for (const known of [headers.etag, `W/${headers.etag}`, `"x", ${headers.etag}`, '*']) {
    const answer = await gateway.call('GET', path, { headers: { 'if-none-match': known ?? '' } })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', headers.etag])
  }
  expect((await gateway.call('GET', path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
})

describe('404', () => {
  test('for a token that nobody was given, an id, and anything else', async () => {
    const { path, id } = await stored(text)
    const token = path.split('/')[2] ?? ''
    const [first = ''] = token
    const other = `${first === 'A' ? 'B' : 'A'}${token.slice(1)}`
    const paths = [
      `/files/${other}/a.txt`,
      `/files/${id}/a.txt`,
      `/files/${token}`,
      `/files/${token}/`,
      '/files/',
      '/files/..%2f..%2fx/a',
      `${path}/x`,
    ]
    for (const each of paths) {
      const { status, body } = await gateway.call('GET', each)
      expect([each, status, body.error.code]).toEqual([each, 404, 'not_found'])
    }
  })

  test('for every method that would change something', async () => {
    const { path } = await stored(text)
    for (const method of ['POST', 'PUT', 'DELETE'] as const) expect((await gateway.call(method, path)).status).toBe(404)
  })
})

test('500, which nobody may keep, when the bytes are away', async () => {
  const own = await gateway.account()
  const { path } = await stored(png(99), 'a.png', own.live)
  await rm(join(gateway.config.dataDir, 'files', own.uuid.replaceAll('-', '')), { recursive: true })
  const { status, headers } = await gateway.call('GET', path)
  expect([status, headers['cache-control'], headers.etag]).toEqual([500, undefined, undefined])
})

test('logs and metrics know the pattern of the route, never a token', async () => {
  const { path } = await stored(text)
  await gateway.call('GET', path)
  await gateway.call('GET', `${path.slice(0, -20)}x/y`)
  const token = path.split('/')[2] ?? ''
  const told = JSON.stringify(gateway.observations.all)
  expect(told).toContain('"/files/:token/:name"')
  expect(told).not.toContain(token)
  expect((await gateway.call('GET', '/metrics')).text).not.toContain(token.slice(0, 20))
  expect(Object.keys((await gateway.call('GET', '/openapi.json')).body.paths).filter((each) => each.startsWith('/files'))).toEqual([])
})

test('/ready says whether files can be stored', async () => {
  const { body } = await gateway.call('GET', '/ready')
  expect(body.checks.storage).toEqual({ ok: true })
})

test('a stranger who reads slowly on very many connections is bounded, and nobody else waits for them', async () => {
  const bytes = movie({ dataBytes: 8_000_000 })
  const { path } = await stored(bytes, 'filme.mp4')
  const { hostname, port } = new URL(gateway.url)
  const first = async (socket: Socket) => {
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const [chunk] = (await once(socket, 'data')) as [Buffer]
    socket.pause()
    return Number(chunk.toString('latin1').split(' ')[1])
  }
  const sockets = Array.from({ length: 70 }, () => connect(Number(port), hostname))
  try {
    const statuses = await Promise.all(sockets.map(first))
    expect([statuses.filter((each) => each === 200).length, statuses.filter((each) => each === 429).length]).toEqual([64, 6])
    expect((await gateway.call('GET', '/health')).status).toBe(200)
    expect((await gateway.call('GET', '/v1/channels', { key: account.live })).status).toBe(200)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const status = async () => (await gateway.call('GET', path)).status
  while ((await status()) !== 200);
})
