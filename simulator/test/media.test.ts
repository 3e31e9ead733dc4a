import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fetchFile, number, type Stage, setStage, upload } from './stage.ts'

const MEGABYTE = 1024 * 1024
const sameWaba = { ...number, phoneNumberId: '118350927764888', displayDigits: '15550104466' }
const other = { phoneNumberId: '118350927764999', wabaId: '304817396550129', displayDigits: '5511999998888', token: 'token-two' }
const bytes = Buffer.from('the bytes of a picture')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const startMs = 1_793_000_000_000
const dayMs = 24 * 60 * 60 * 1000

let nowMs = startMs
const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }

let stage: Stage
beforeEach(async () => {
  nowMs = startMs
  stage = await setStage({ clock, numbers: [{ ...number, subscribed: true }, sameWaba, other] })
})
afterEach(() => stage.close())

const lookUp = (id: string, query = '', token = number.token) => stage.call('GET', `/v24.0/${id}${query}`, undefined, token)
const uploaded = async (): Promise<string> => (await upload(stage, { bytes })).json.id

describe('an uploaded file', () => {
  test('gets an id by which it is told of: type, hash in hex, size and a link, by which it is fetched', async () => {
    const id = await uploaded()
    expect(id).toMatch(/^\d{16}$/)
    const told = (await lookUp(id)).json
    expect(told).toEqual({
      messaging_product: 'whatsapp',
      url: expect.stringContaining(`/whatsapp_business/attachments/?mid=${id}&`),
      mime_type: 'image/jpeg',
      sha256,
      file_size: bytes.length,
      id,
    })
    expect(await fetchFile(told.url)).toEqual({ status: 200, type: 'image/jpeg', bytes, whole: true })
  })

  test('is seen by tests with its bytes and the number that uploaded it', async () => {
    const id = await uploaded()
    const expected = { id, origin: 'upload', phoneNumberId: number.phoneNumberId, fileName: 'picture.jpg', mimeType: 'image/jpeg', bytes }
    expect(stage.simulator.media).toMatchObject([expected])
  })

  test('lives for thirty days', async () => {
    const id = await uploaded()
    nowMs = startMs + 30 * dayMs - 1
    expect((await lookUp(id)).status).toBe(200)
    nowMs += 1
    expect(await lookUp(id)).toMatchObject({ status: 400, json: { error: { code: 100, error_subcode: 33 } } })
  })

  test('belongs to its number: another one named in the query, or the token of another WABA, does not find it', async () => {
    const id = await uploaded()
    expect((await lookUp(id, `?phone_number_id=${number.phoneNumberId}`)).status).toBe(200)
    expect(await lookUp(id, `?phone_number_id=${sameWaba.phoneNumberId}`)).toMatchObject({ json: { error: { error_subcode: 33 } } })
    expect(await lookUp(id, '', other.token)).toMatchObject({ json: { error: { error_subcode: 33 } } })
    expect(await lookUp(id, '', 'nobody')).toMatchObject({ status: 401, json: { error: { code: 190 } } })
  })

  test('is forgotten when it is deleted, by its number alone', async () => {
    const id = await uploaded()
    const path = `/v24.0/${id}?phone_number_id=`
    expect(await stage.call('DELETE', path + sameWaba.phoneNumberId)).toMatchObject({ status: 400, json: { error: { error_subcode: 33 } } })
    expect((await stage.call('DELETE', path + number.phoneNumberId)).json).toEqual({ success: true })
    expect(await stage.call('DELETE', path + number.phoneNumberId)).toMatchObject({ status: 400, json: { error: { error_subcode: 33 } } })
    expect(stage.simulator.media).toEqual([])
  })
})

describe('the link to a file', () => {
  test('lives for five minutes; after that it is 404, and looking the file up gives a new one', async () => {
    const id = await uploaded()
    const { url } = (await lookUp(id)).json
    nowMs = startMs + 5 * 60_000 - 1
    expect((await fetchFile(url)).status).toBe(200)
    nowMs += 1
    expect((await fetchFile(url)).status).toBe(404)
    expect((await fetchFile((await lookUp(id)).json.url)).status).toBe(200)
  })

  test('needs the token of the WABA and the name of the client', async () => {
    const { url } = (await lookUp(await uploaded())).json
    expect((await fetchFile(url, { 'user-agent': 'test' })).status).toBe(401)
    expect((await fetchFile(url, { 'user-agent': 'test', authorization: 'Bearer nobody' })).status).toBe(401)
    expect((await fetchFile(url, { 'user-agent': 'test', authorization: `Bearer ${other.token}` })).status).toBe(404)
    expect((await fetchFile(url, { authorization: `Bearer ${number.token}` })).status).toBe(403)
  })

  test('cannot be made up or lengthened', async () => {
    const { url } = (await lookUp(await uploaded())).json
    const later = new URL(url)
    later.searchParams.set('ext', String(Number(later.searchParams.get('ext')) + 1))
    expect((await fetchFile(later.toString())).status).toBe(404)
  })

  test('points to another host when one is set', async () => {
    await stage.close()
    stage = await setStage({ mediaBaseUrl: 'http://files.example' })
    expect((await lookUp(await uploaded())).json.url).toMatch(/^http:\/\/files\.example\/whatsapp_business\/attachments\/\?mid=/)
  })
})

describe('an upload', () => {
  test.each([
    ['without messaging_product', { messagingProduct: null }, 100],
    ['without a file', { bytes: null }, 100],
    ['of an empty file', { bytes: Buffer.alloc(0) }, 100],
    ['of a GIF', { mimeType: 'image/gif' }, 100],
    ['of what browsers record, under its own name', { mimeType: 'audio/opus' }, 100],
    ['of no type at all', { mimeType: 'application/octet-stream' }, 100],
  ])('%s is refused', async (_what, parts, code) => {
    expect(await upload(stage, parts)).toMatchObject({ status: 400, json: { error: { code } } })
    expect(stage.simulator.media).toEqual([])
  })

  test('that is no form is refused', async () => {
    expect(await stage.call('POST', `/v24.0/${number.phoneNumberId}/media`, { messaging_product: 'whatsapp' })).toMatchObject({
      status: 400,
      json: { error: { code: 100 } },
    })
  })

  test('needs the token of the number', async () => {
    expect(await upload(stage, {}, { ...number, token: 'nobody' })).toMatchObject({ status: 401, json: { error: { code: 190 } } })
    expect(await upload(stage, {}, { ...number, token: other.token })).toMatchObject({
      status: 400,
      json: { error: { error_subcode: 33 } },
    })
  })

  test('says its type in a field, or else in its part', async () => {
    const { id } = (await upload(stage, { mimeType: null, partType: 'image/png', fileName: 'a.png' })).json
    expect((await lookUp(id)).json.mime_type).toBe('image/png')
  })

  test.each([
    ['image/jpeg', 'a.jpg', 5 * MEGABYTE],
    ['audio/mpeg', 'a.mp3', 16 * MEGABYTE],
    ['video/mp4', 'a.mp4', 16 * MEGABYTE],
    ['image/webp', 'a.webp', 100 * 1024],
  ])('of %s may have so many bytes and not one more', async (mimeType, fileName, bytesMax) => {
    expect((await upload(stage, { mimeType, fileName, bytes: Buffer.alloc(bytesMax, 1) })).status).toBe(200)
    expect(await upload(stage, { mimeType, fileName, bytes: Buffer.alloc(bytesMax + 1, 1) })).toMatchObject({
      status: 400,
      json: { error: { code: 131053 } },
    })
  })

  test('of a sticker that moves may be larger than of one that stands still', async () => {
    const webp = (size: number) => {
      const made = Buffer.alloc(size, 1)
      made.write('RIFF....WEBPVP8X', 0, 'latin1')
      made[20] = 0x02
      return made
    }
    const sticker = { mimeType: 'image/webp', fileName: 'a.webp' }
    expect((await upload(stage, { ...sticker, bytes: webp(500 * 1024) })).status).toBe(200)
    expect((await upload(stage, { ...sticker, bytes: webp(500 * 1024 + 1) })).status).toBe(400)
  })

  test('under a name that says another type is taken for no type at all', async () => {
    const { id } = (await upload(stage, { mimeType: 'audio/ogg; codecs=opus', fileName: 'voice.mp4' })).json
    expect((await lookUp(id)).json.mime_type).toBe('application/octet-stream')
  })
})

test('what is over the bound of memory pushes the oldest files out', async () => {
  await stage.close()
  stage = await setStage({ mediaBytesMax: 10 * MEGABYTE })
  const ids: string[] = []
  for (let i = 0; i < 3; i += 1) ids.push((await upload(stage, { bytes: Buffer.alloc(4 * MEGABYTE, i) })).json.id)
  expect(stage.simulator.media.map((file) => file.id)).toEqual(ids.slice(1))
  const pdf = { mimeType: 'application/pdf', fileName: 'a.pdf' }
  expect(await upload(stage, { ...pdf, bytes: Buffer.alloc(10 * MEGABYTE + 1) })).toMatchObject({ status: 400 })
})

describe('a test', () => {
  test('puts a file that a person sends; its id lives for seven days', async () => {
    const { id } = stage.simulator.putMedia({ bytes, mimeType: 'image/gif', phoneNumberId: sameWaba.phoneNumberId })
    expect(await fetchFile(stage.simulator.mediaUrl(id))).toMatchObject({ status: 200, type: 'image/gif', bytes })
    nowMs = startMs + 7 * dayMs - 1
    expect((await lookUp(id)).status).toBe(200)
    nowMs += 1
    expect((await lookUp(id)).status).toBe(400)
  })

  test('chooses the id of a file, so that a notice written elsewhere can name it', async () => {
    stage.simulator.putMedia({ bytes, mimeType: 'image/jpeg', id: '1201866346946993' })
    expect((await lookUp('1201866346946993')).json).toMatchObject({ sha256, id: '1201866346946993' })
  })

  test('lets the links die and leaves the id, or lets both die', async () => {
    const { id } = stage.simulator.putMedia({ bytes, mimeType: 'image/jpeg' })
    const dead = stage.simulator.mediaUrl(id)
    stage.simulator.expireMediaUrls(id)
    expect((await fetchFile(dead)).status).toBe(404)
    const fresh = (await lookUp(id)).json.url
    expect((await fetchFile(fresh)).status).toBe(200)
    stage.simulator.expireMedia(id)
    expect((await fetchFile(fresh)).status).toBe(404)
    expect((await lookUp(id)).status).toBe(400)
  })

  test('sees every call for a file and how it was answered', async () => {
    const id = await uploaded()
    await fetchFile((await lookUp(id)).json.url)
    await lookUp('1')
    expect(stage.simulator.calls).toMatchObject([
      { sequence: 1, call: 'media-upload', method: 'POST', id: number.phoneNumberId, status: 200, fault: null },
      { sequence: 2, call: 'media-look-up', method: 'GET', id, status: 200 },
      { sequence: 3, call: 'media-download', id, status: 200 },
      { sequence: 4, call: 'number-read', id: '1', status: 400 },
    ])
  })
})

describe('faults of files', () => {
  test('hit one call for one file and no other', async () => {
    const [first, second] = [await uploaded(), await uploaded()]
    stage.simulator.addFaults({ match: { call: 'media-look-up', id: second }, fault: { kind: 'graph-error', code: 131000 } })
    expect((await lookUp(first)).status).toBe(200)
    expect(await lookUp(second)).toMatchObject({ status: 500, json: { error: { code: 131000 } } })
    expect((await lookUp(second)).status).toBe(200)
    expect((await stage.send('+15550107712')).status).toBe(200)
  })

  test('a dead token, a page of HTML, a 404', async () => {
    const id = await uploaded()
    stage.simulator.addFaults(
      { match: { call: 'media-look-up' }, fault: { kind: 'graph-error', code: 190 } },
      { match: { call: 'media-upload' }, fault: { kind: 'html', status: 503 } },
      { match: { call: 'media-download' }, fault: { kind: 'html', status: 404 } },
    )
    expect(await lookUp(id)).toMatchObject({ status: 401, json: { error: { code: 190 } } })
    expect(await upload(stage)).toMatchObject({ status: 503, json: null })
    expect((await fetchFile(stage.simulator.mediaUrl(id))).status).toBe(404)
    expect(stage.simulator.media).toHaveLength(1)
  })

  test('a download that stops in the middle, and one whose bytes are not those of the hash', async () => {
    const url = stage.simulator.mediaUrl(await uploaded())
    stage.simulator.addFaults(
      { match: { call: 'media-download' }, fault: { kind: 'truncated' } },
      { match: { call: 'media-download' }, fault: { kind: 'altered' } },
    )
    expect(await fetchFile(url)).toMatchObject({ status: 200, bytes: bytes.subarray(0, bytes.length >> 1), whole: false })
    const wrong = await fetchFile(url)
    expect(wrong.bytes.length).toBe(bytes.length)
    expect(wrong.bytes).not.toEqual(bytes)
    expect((await fetchFile(url)).bytes).toEqual(bytes)
  })

  test('a look-up that tells a wrong hash', async () => {
    const id = await uploaded()
    stage.simulator.addFaults({ match: { call: 'media-look-up' }, fault: { kind: 'altered' } })
    const told = (await lookUp(id)).json
    expect(told.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(told.sha256).not.toBe(sha256)
  })

  test('an upload that was taken though its answer says no', async () => {
    stage.simulator.addFaults({ match: { call: 'media-upload' }, fault: { kind: 'graph-error', code: 131000, accepted: true } })
    expect((await upload(stage)).status).toBe(500)
    expect(stage.simulator.media).toHaveLength(1)
  })

  test('a slow download is answered after its delay', async () => {
    const url = stage.simulator.mediaUrl(await uploaded())
    stage.simulator.addFaults({ match: { call: 'media-download' }, fault: { kind: 'slow', delayMs: 20 } })
    const startedMs = performance.now()
    expect((await fetchFile(url)).bytes).toEqual(bytes)
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(19)
  })
})
