import { createHash } from 'node:crypto'
import { readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ManualClock, manualClock, type SystemClock, systemClock } from '../../src/base/clock.ts'
import { limits } from '../../src/limits.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import { aac, gif, jpeg, movie, ogg, pdf, png, webp } from '../support/files.ts'
import { type Form, formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { sql } from '../support/stage.ts'

/** The time of day stands still, so that no test meets the midnight of Brasília; durations are real. */
let time: ManualClock
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  time = manualClock(new Date().toISOString())
  const clock: SystemClock = { ...systemClock(), now: () => time.now(), correctBy: () => {} }
  gateway = await startTestGateway({ settings: { FILES_URL: 'https://files.example' }, clock })
})
afterAll(() => gateway.close())
// A key has thirty uploads a minute.
beforeEach(async () => {
  account = await gateway.account()
})

let shades = 0
/** Bytes that nobody has uploaded before. */
const newPng = () => png(1_000 + ++shades)
const send = (form: Form | Buffer, options: { key?: string | null; name?: string } = {}) =>
  upload(gateway.call, Buffer.isBuffer(form) ? formOf([{ name: 'file', fileName: options.name ?? 'foto.png', bytes: form }]) : form, {
    key: options.key === undefined ? account.live : options.key,
  })
const temporary = () => readdir(join(gateway.config.dataDir, 'temporary'))
const storedFiles = async (of: TestAccount) => {
  const names = await readdir(join(gateway.config.dataDir, 'files', of.uuid.replaceAll('-', '')), { recursive: true }).catch(() => [])
  return names.filter((name) => name.includes('/')).length
}

describe('201', () => {
  test('with the file: its kind is read from its bytes, not from its name', async () => {
    const bytes = newPng()
    const { status, body } = await send(bytes, { name: 'contrato ação.pdf' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^med_[0-9a-f]{32}$/),
      object: 'media',
      url: expect.stringMatching(/^https:\/\/files\.example\/files\/[A-Za-z0-9_-]{43}\/contrato%20a%C3%A7%C3%A3o\.pdf$/),
      mime_type: 'image/png',
      size_bytes: bytes.length,
      suggested_type: 'image',
      file_name: 'contrato ação.pdf',
    })
    const read = await gateway.call('GET', new URL(body.url).pathname)
    expect(createHash('sha256').update(Buffer.from(read.bytes)).digest()).toEqual(createHash('sha256').update(bytes).digest())
    expect(await temporary()).toEqual([])
  })

  test.each([
    ['audio', ogg('opus'), 'audio/ogg; codecs=opus'],
    ['audio', aac(), 'audio/aac'],
    ['video', movie(), 'video/mp4'],
    ['document', pdf(), 'application/pdf'],
    ['document', Buffer.from('olá'), 'text/plain'],
    ['sticker', webp(), 'image/webp'],
    ['sticker', webp({ animated: true }), 'image/webp'],
  ])('suggests %s', async (type, bytes, mimeType) => {
    const { status, body } = await send(bytes)
    expect([status, body.suggested_type, body.mime_type]).toEqual([201, type, mimeType])
  })

  // rule: media 3
  test('the same bytes again are the same file, whatever they are called; in another account they are another', async () => {
    const own = await gateway.account()
    const bytes = newPng()
    const first = await send(bytes, { key: own.live, name: 'a.png' })
    const again = await send(bytes, { key: own.live, name: 'b.png' })
    expect([again.status, again.body]).toEqual([201, first.body])
    const other = await send(bytes)
    expect([other.body.id === first.body.id, other.body.url === first.body.url]).toEqual([false, false])
    expect(await storedFiles(own)).toBe(1)
  })

  test('the same bytes many times at once are one file, stored once', async () => {
    const own = await gateway.account()
    const bytes = newPng()
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(bytes, { key: own.live })))
    expect(new Set(answers.map((each) => `${each.status} ${each.text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(await storedFiles(own)).toBe(1)
    expect(await temporary()).toEqual([])
  })

  test('a file without a name has none, and its url one that fits', async () => {
    const { body } = await send(formOf([{ name: 'file', fileName: '', bytes: newPng() }]))
    expect([body.file_name, body.url]).toEqual([null, expect.stringMatching(/\/file\.png$/)])
  })

  test('a name of 240 characters is kept, and shortened in the url alone', async () => {
    const name = `${'ç'.repeat(236)}.png`
    const { body } = await send(newPng(), { name })
    expect(body.file_name).toBe(name)
    expect(body.url.length).toBeLessThan(300)
    expect(decodeURIComponent(body.url)).toMatch(/\/ç+\.png$/)
    expect((await gateway.call('GET', new URL(body.url).pathname)).status).toBe(200)
  })

  test('without a length of the whole body, as a stream sends it', async () => {
    const form = formOf([{ name: 'file', fileName: 'a.png', bytes: newPng() }])
    const halves = [form.body.subarray(0, 100), form.body.subarray(100)]
    const answer = await fetch(`${gateway.url}/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.live}`, 'content-type': form.contentType },
      body: ReadableStream.from(halves),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(201)
  })
})

// rule: media 2
describe('the size of each kind: the last allowed and the first refused', () => {
  const mb = 1024 * 1024
  const padded = (bytes: Buffer, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x20)])
  test.each([
    ['an image', (length: number) => jpeg(length), 5 * mb, 'An image'],
    ['audio', (length: number) => padded(ogg('opus'), length), 16 * mb, 'An audio file'],
    ['a video', (length: number) => movie({ dataBytes: length - movie({ dataBytes: 0 }).length }), 16 * mb, 'A video'],
    ['a still sticker', (length: number) => webp({ bytes: length }), 100 * 1024, 'A sticker'],
    ['an animated sticker', (length: number) => webp({ animated: true, bytes: length }), 500 * 1024, 'An animated sticker'],
  ])('%s', async (_what, make, max, words) => {
    expect(make(max)).toHaveLength(max)
    expect((await send(make(max))).status).toBe(201)
    const { status, body } = await send(make(max + 1))
    expect([status, body.error.code, body.error.details[0].field]).toEqual([400, 'invalid_request', 'file'])
    expect(body.error.message).toMatch(new RegExp(`^${words} .* has at most ${max >= mb ? `${max / mb} MB` : `${max / 1024} KB`}`))
  })

  test('a document, which is also the largest of all', async () => {
    const max = limits.uploadedDocumentBytesMax
    const { status, body } = await send(padded(pdf(), max))
    expect([status, body.size_bytes]).toEqual([201, max])
    const over = await send(padded(pdf(), max + 1))
    expect([over.status, over.body.error.message]).toEqual([400, expect.stringMatching(/too large: an upload has at most 50 MB/)])
    expect(await temporary()).toEqual([])
  })

  test('a body whose length is beyond all is refused before it is read, and the caller who sends all of it hears why', async () => {
    const own = await gateway.account()
    const { status, body } = await send(padded(pdf(), 60 * mb), { key: own.live })
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/at most 50 MB/)])
    expect(await temporary()).toEqual([])
    expect((await send(newPng(), { key: own.live })).status).toBe(201)
  })

  test('a stream that does not end is cut off', async () => {
    const { status, pieces } = await stream(account.live, function* () {
      // All of it stands before the first part, where no limit of a file counts.
      for (;;) yield Buffer.alloc(mb, 0x20)
    })
    expect(status).toBe('HTTP/1.1 400')
    expect(pieces).toBeLessThan(300)
  })

  test('a stream that becomes too long in the middle of its file leaves no file behind, nor one open', async () => {
    // It ends after all, so that its connection goes on and nobody tidies up because of that.
    const { status, socket } = await stream(account.live, function* () {
      for (let i = 0; i < 49; i += 1) yield Buffer.alloc(mb, 0x20)
      yield Buffer.from('\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
      for (let i = 0; i < 3; i += 1) yield Buffer.alloc(mb, 0x20)
    })
    expect(status).toBe('HTTP/1.1 400')
    while ((await temporary()).length > 0 || (await openedTemporary()) > 0) await new Promise((resolve) => setImmediate(resolve))
    expect(socket.destroyed).toBe(false)
    socket.destroy()
  })
})

/** Sends pieces of a body that does not say its length, until it is answered and has ended, or until the connection has. */
function stream(key: string, body: () => Generator<Buffer>): Promise<{ status: string; pieces: number; socket: Socket }> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    const rest = body()
    let pieces = 0
    let status = ''
    let ended = false
    const resolveOnceEnded = () => ended && status !== '' && resolve({ status, pieces, socket })
    const more = () => {
      const { value, done } = rest.next()
      if (done) {
        ended = true
        socket.write('0\r\n\r\n', resolveOnceEnded)
        return
      }
      pieces += 1
      const length = Buffer.from(`${value.length.toString(16)}\r\n`)
      socket.write(Buffer.concat([length, value, Buffer.from('\r\n')]), () => socket.writable && more())
    }
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      status ||= chunk.toString().slice(0, 12)
      resolveOnceEnded()
    })
    socket.on('close', () => resolve({ status, pieces, socket }))
    const head = ['POST /v1/media HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`, 'Content-Type: multipart/form-data; boundary=x']
    socket.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`)
    more()
  })
}

/** How many temporary files this process has open; where that cannot be seen, none. */
async function openedTemporary(): Promise<number> {
  const open = await readdir('/proc/self/fd').catch(() => [])
  const links = await Promise.all(open.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')))
  return links.filter((each) => each.startsWith(join(gateway.config.dataDir, 'temporary'))).length
}

describe('400 invalid_request', () => {
  const refusedFor = async (form: Form | Buffer, options?: { name?: string }) => {
    const { status, body } = await send(form, options)
    expect([status, body.error.code]).toEqual([400, 'invalid_request'])
    return { message: body.error.message as string, field: body.error.details?.[0].field as string | undefined }
  }

  // rule: media 1
  test.each([
    ['a GIF', gif(), /The file is image\/gif.*The upstream platform takes JPEG and PNG/],
    ['a video with HEVC', movie({ video: ['hvc1'] }), /HEVC \(H\.265\), hvc1.*only H\.264/],
    ['an empty file', Buffer.alloc(0), /empty/],
  ])('for %s, which says why', async (_what, bytes, words) => {
    const { message, field } = await refusedFor(bytes)
    expect(message).toMatch(words)
    expect(field).toBe('file')
  })

  test.each([
    ['no part', [], 'file', /no file named file/],
    ['another part', [{ name: 'document', fileName: 'a.png', bytes: png() }], 'document', /only the file file/],
    [
      'a field beside it',
      [
        { name: 'type', bytes: 'image' },
        { name: 'file', fileName: 'a.png', bytes: png() },
      ],
      'type',
      /only the file file/,
    ],
    [
      'a field after it',
      [
        { name: 'file', fileName: 'a.png', bytes: png() },
        { name: 'type', bytes: 'image' },
      ],
      'type',
      /only the file file/,
    ],
    ['two files', ['a', 'b'].map((name) => ({ name: 'file', fileName: name, bytes: png() })), 'file', /only one file/],
    ['a text named file', [{ name: 'file', bytes: 'image' }], 'file', /sent as a file/],
  ])('for a form with %s', async (_what, parts, field, words) => {
    const found = await refusedFor(formOf(parts))
    expect(found.message).toMatch(words)
    expect(found.field).toBe(field)
  })

  test('for a form with too many parts', async () => {
    const form = formOf(Array.from({ length: 20 }, (_, i) => ({ name: `x${i}`, bytes: 'x' })))
    expect((await refusedFor(form)).message).toMatch(/only the file file/)
  })

  test('for a name with control characters, or of more than 240 characters', async () => {
    expect((await refusedFor(newPng(), { name: 'a\tb.png' })).message).toMatch(/control characters/)
    expect((await refusedFor(newPng(), { name: `${'x'.repeat(237)}.png` })).message).toMatch(/at most 240 characters/)
  })

  // rule: requests 8
  test('for a name that is no UTF-8', async () => {
    const form = formOf([{ name: 'file', fileName: 'NAME.png', bytes: newPng() }])
    const body = Buffer.from(form.body.toString('latin1').replace('NAME', 'Jos\xe9'), 'latin1')
    expect(await refusedFor({ ...form, body })).toMatchObject({ field: 'file', message: expect.stringMatching(/not UTF-8/) })
  })

  test.each([
    ['without a boundary', 'multipart/form-data', /boundary/],
    ['of JSON', 'application/json', /Content-Type/],
    ['of bytes', 'application/octet-stream', /Content-Type/],
  ])('for a body %s', async (_what, contentType, words) => {
    expect((await refusedFor({ contentType, body: Buffer.from('{}') })).message).toMatch(words)
  })

  test('for no body', async () => {
    const { status, body } = await gateway.call('POST', '/v1/media', { key: account.live })
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/multipart\/form-data/)])
  })

  test('for a form that ends in the middle of the file', async () => {
    const { contentType, body } = formOf([{ name: 'file', fileName: 'a.png', bytes: png() }])
    expect((await refusedFor({ contentType, body: body.subarray(0, body.length - 60) })).message).toMatch(/broken off/)
    expect(await temporary()).toEqual([])
  })
})

test('a caller that hangs up in the middle leaves nothing behind', async () => {
  const own = await gateway.account()
  const { contentType, body } = formOf([{ name: 'file', fileName: 'a.pdf', bytes: pdf('x'.repeat(200_000)) }])
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.write(
    `POST /v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.live}\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, 100_000))
  while ((await temporary()).length === 0) await new Promise((resolve) => setImmediate(resolve))
  socket.destroy()
  while ((await temporary()).length > 0) await new Promise((resolve) => setImmediate(resolve))
  expect(await storedFiles(own)).toBe(0)
})

test('403 forbidden for a key without the scope media:write', async () => {
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: ['messages:send'] })
  const { status, body } = await send(newPng(), { key: key.secret })
  expect([status, body.error.message]).toEqual([403, expect.stringMatching(/media:write/)])
})

// rule: media 4
describe('429 rate_limited', () => {
  test('from the 31st upload of a key within a minute on; other keys and other calls go on', async () => {
    const own = await gateway.account()
    const bytes = newPng()
    const answers = []
    for (let i = 0; i < limits.uploadsPerKeyMax; i += 1) answers.push(await send(bytes, { key: own.live }))
    expect(new Set(answers.map((each) => each.status))).toEqual(new Set([201]))
    expect(answers.at(-1)?.headers).toMatchObject({ 'ratelimit-limit': '30', 'ratelimit-remaining': '0' })
    const { status, body, headers } = await send(bytes, { key: own.live })
    expect([status, body.error.code]).toEqual([429, 'rate_limited'])
    expect(headers['retry-after']).toBe(headers['ratelimit-reset'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect((await gateway.call('GET', '/v1/webhooks', { key: own.live })).status).toBe(200)
    const other = await makeKey(gateway.deps, own.uuid, { livemode: true })
    expect((await send(bytes, { key: other.secret })).status).toBe(201)
  })

  test('beyond 1 GB of new bytes in a day, until midnight in Brasília; the same bytes again do not count', async () => {
    const own = await gateway.account()
    const known = newPng()
    expect((await send(known, { key: own.live })).status).toBe(201)
    const [row] = await sql<{ bytes: number }>(gateway.deps.database, 'select bytes from media_quota where account_id = $1', [own.uuid])
    expect(row?.bytes).toBe(known.length)
    const last = newPng()
    const before = limits.uploadBytesPerDayMax - last.length
    await sql(gateway.deps.database, 'update media_quota set bytes = $2 where account_id = $1', [own.uuid, before])
    // One byte more than is left.
    const larger = pdf('x'.repeat(1 + last.length - pdf('').length))
    expect(larger).toHaveLength(last.length + 1)
    const over = await send(larger, { key: own.live })
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited'])
    const midnight = Date.parse(`${new Date(time.now().getTime() + 21 * 3_600_000).toISOString().slice(0, 10)}T03:00:00Z`)
    expect(Number(over.headers['retry-after'])).toBe(Math.ceil((midnight - time.now().getTime()) / 1000))
    expect((await send(last, { key: own.live })).status).toBe(201)
    expect((await send(newPng(), { key: own.live })).status).toBe(429)
    expect((await send(known, { key: own.live })).status).toBe(201)
    // What was refused left nothing behind.
    expect(await storedFiles(own)).toBe(2)
    expect(await temporary()).toEqual([])
    expect((await send(newPng())).status).toBe(201)
    time.advance(midnight - time.now().getTime() - 1)
    expect((await send(newPng(), { key: own.live })).status).toBe(429)
    time.advance(1)
    expect((await send(newPng(), { key: own.live })).status).toBe(201)
  })

  test('of many new files at once, only as many are taken as the day has room for', async () => {
    const own = await gateway.account()
    await send(newPng(), { key: own.live })
    const files = Array.from({ length: 8 }, () => newPng())
    const room = files.slice(0, 3).reduce((sum, each) => sum + each.length, 0) + 1
    await sql(gateway.deps.database, 'update media_quota set bytes = $2 where account_id = $1', [
      own.uuid,
      limits.uploadBytesPerDayMax - room,
    ])
    const answers = await Promise.all(files.map((each) => send(each, { key: own.live })))
    expect(answers.map((each) => each.status).toSorted()).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    expect(await storedFiles(own)).toBe(4)
  })
})

test('500 internal_error when the files cannot be written; nothing is left of it, and it succeeds once they can', async () => {
  const own = await gateway.account()
  const inTheWay = join(gateway.config.dataDir, 'files', own.uuid.replaceAll('-', ''))
  await writeFile(inTheWay, 'a file where a directory must be')
  const bytes = newPng()
  const { status, body } = await send(bytes, { key: own.live })
  expect([status, body.error.code]).toEqual([500, 'internal_error'])
  expect(await temporary()).toEqual([])
  await rm(inTheWay)
  expect((await send(bytes, { key: own.live })).status).toBe(201)
})
