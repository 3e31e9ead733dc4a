import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FaultRule } from '@pombo/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { present } from '../../src/base/assert.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { newUuid } from '../../src/base/id.ts'
import { createUnsealer } from '../../src/base/seal.ts'
import { type ChannelInUse, channelsOf } from '../../src/features/channels/public.ts'
import {
  createUpstreamMedia,
  findMedia,
  type Media,
  type MediaKind,
  mediaUrl,
  parseMediaReference,
  sendBytesMax,
  storeFile,
  type UpstreamMedia,
  type UpstreamMediaId,
  type WantedMedia,
} from '../../src/features/media/public.ts'
import type { Observation } from '../../src/platform/observe/observation.ts'
import { openStorage } from '../../src/platform/storage/open-storage.ts'
import { type Storage, storageKey } from '../../src/platform/storage/storage.ts'
import { createUpstreamDownloads, type UpstreamDownloads } from '../../src/platform/upstream/download.ts'
import { digestOf, readUpstreamMedia } from '../../src/platform/upstream/media.ts'
import type { TestAccount } from '../support/accounts.ts'
import { aac, amr, gif, jpeg, movie, mp3, ogg, ooxml, pdf, png, webp } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { sql } from '../support/stage.ts'

const real = systemClock()
let aheadMs = 0
const clock: Clock = { ...real, now: () => new Date(real.now().getTime() + aheadMs) }
let gateway: TestGateway
let storage: Storage
let downloads: UpstreamDownloads
let observed: Observation[]
let account: TestAccount
let channel: ChannelInUse
let upstream: UpstreamMedia

beforeAll(async () => {
  gateway = await startTestGateway()
  storage = await openStorage({ clock }, { bucket: null, directory: join(gateway.config.dataDir, 'files') })
  downloads = createUpstreamDownloads({ clock, graphUrl: gateway.simulator.url })
})
afterAll(async () => {
  await downloads.close()
  await gateway.close()
})
beforeEach(async () => {
  aheadMs = 0
  observed = []
  account = await gateway.account({ channels: 2 })
  ;[channel] = (await channelsOf(gateway.deps.database, [account.uuid])).get(account.uuid) as [ChannelInUse]
  upstream = newUpstream()
})

/** What another process would have. */
const newUpstream = () =>
  createUpstreamMedia({
    ...gateway.deps,
    clock,
    storage,
    unseal: createUnsealer(gateway.deps.secretKey),
    observe: (each) => observed.push(each),
  })

let shades = 0
async function stored(bytes: Buffer = png(90_000 + ++shades), of: TestAccount = account): Promise<Media> {
  const { body } = await upload(gateway.call, formOf([{ name: 'file', fileName: 'um nome "seu".pdf', bytes }]), { key: of.live })
  const token = present(parseMediaReference(body.url, [gateway.config.filesUrl]), 'one of ours').token
  const [media] = await findMedia(gateway.deps.database, [{ accountId: of.uuid, token: present(token, 'of a file') }])
  return present(media, 'it was just stored')
}
const idOf = async (media: Media, from: UpstreamMedia = upstream): Promise<UpstreamMediaId> =>
  present((await from.ids([{ channel, media }]))[0], 'one was asked for')
const held = () => gateway.simulator.media.filter((each) => each.phoneNumberId === channel.phoneNumberId)
const faultOn = (fault: FaultRule['fault']) =>
  gateway.simulator.addFaults({ match: { call: 'media-upload', id: channel.phoneNumberId }, fault })

// rule: media 6
describe('a file that is given to upstream', () => {
  test.each<[MediaKind, Buffer]>([
    ['image', jpeg()],
    ['image', png()],
    ['sticker', webp()],
    ['sticker', webp({ animated: true })],
    ['audio', aac()],
    ['audio', amr()],
    ['audio', mp3()],
    ['audio', movie({ brand: 'M4A ', video: [] })],
    ['audio', ogg('opus')],
    ['video', movie()],
    ['video', movie({ brand: '3gp4' })],
    ['document', pdf()],
    ['document', ooxml('xl')],
    ['document', Buffer.from('olá')],
  ])('arrives whole, under a type and a name that fit: %s', async (kind, bytes) => {
    const media = await stored(bytes)
    expect(media.kind).toBe(kind)
    const given = await idOf(media)
    expect(given.kind).toBe('uploaded')
    const [file, ...more] = held()
    expect(more).toEqual([])
    expect(file).toMatchObject({ mimeType: media.mimeType, id: given.kind === 'uploaded' ? given.upstreamId : '' })
    expect(file?.bytes.equals(bytes)).toBe(true)
  })

  test('streams: one of 16 MB arrives whole', async () => {
    const bytes = movie({ dataBytes: 16_000_000 })
    expect(await idOf(await stored(bytes))).toMatchObject({ kind: 'uploaded' })
    expect(held()[0]?.bytes.equals(bytes)).toBe(true)
  })

  test('is given once to each number, also by many at once, and the answers are in the order asked', async () => {
    const [one, other] = [await stored(), await stored()]
    const second = present((await channelsOf(gateway.deps.database, [account.uuid])).get(account.uuid)?.[1], 'the second number')
    const wanted = [one, other, one].flatMap((media) => [channel, second].map((each) => ({ channel: each, media })))
    const answers = await Promise.all(Array.from({ length: 5 }, () => upstream.ids(wanted)))
    expect(answers.every((each) => JSON.stringify(each) === JSON.stringify(answers[0]))).toBe(true)
    expect(held()).toHaveLength(2)
    const places = (answers[0] ?? []).map((each) =>
      gateway.simulator.media.find((file) => each.kind === 'uploaded' && file.id === each.upstreamId),
    )
    expect(places.map((file) => [file?.phoneNumberId, file?.sha256])).toEqual(
      wanted.map((each) => [each.channel.phoneNumberId, each.media.sha256.toString('hex')]),
    )
  })

  test('keeps its id for 29 days, in every process, and gets a new one after that', async () => {
    const media = await stored()
    const first = await idOf(media)
    aheadMs = 29 * 24 * 3_600_000 - 60_000
    expect(await idOf(media, newUpstream())).toEqual(first)
    aheadMs = 29 * 24 * 3_600_000
    const next = await idOf(media)
    expect(next.kind).toBe('uploaded')
    expect(next).not.toEqual(first)
    expect(await idOf(media, newUpstream())).toEqual(next)
    expect(held()).toHaveLength(2)
  })

  test('is refused for good when upstream says so, with its code and words, and may be tried again', async () => {
    const media = await stored()
    faultOn({ kind: 'graph-error', code: 131_053, details: 'Unsupported type.' })
    expect(await idOf(media)).toEqual({ kind: 'refused', code: 131_053, message: 'Unsupported type.' })
    expect(observed).toMatchObject([{ kind: 'media.given_upstream', outcome: 'refused', code: 131_053 }])
    expect(await idOf(media)).toMatchObject({ kind: 'uploaded' })
  })

  test.each<[string, FaultRule['fault'], object]>([
    ['its token is dead', { kind: 'graph-error', code: 190, status: 401 }, { brake: 'channel', code: 190 }],
    ['it is busy', { kind: 'too-many-requests' }, { brake: 'lane' }],
    ['a proxy answers', { kind: 'html' }, { brake: 'lane', code: null }],
    ['it does not answer', { kind: 'accept-then-reset' }, { brake: 'lane', code: null }],
    ['its answer is cut off', { kind: 'unreadable' }, { brake: 'lane', code: null }],
    ['it takes nothing', { kind: 'reset-before-reading' }, { brake: 'lane', code: null }],
  ])('waits while %s, and is given at the next try', async (_what, fault, expected) => {
    const media = await stored(movie({ dataBytes: 1_000_000 + ++shades }))
    faultOn(fault)
    expect(await idOf(media)).toMatchObject({ kind: 'unavailable', ...expected })
    expect(await idOf(media)).toMatchObject({ kind: 'uploaded' })
  })

  test('holds up no other one', async () => {
    const [good, lost] = [await stored(), await stored()]
    await storage.delete(storageKey(account.uuid, lost.id))
    const answers = await upstream.ids([lost, good].map((media) => ({ channel, media })))
    expect(answers).toMatchObject([{ kind: 'unavailable', brake: 'lane' }, { kind: 'uploaded' }])
    expect(observed.map((each) => each.kind).toSorted()).toEqual(['media.given_upstream', 'media.given_upstream', 'media.unreadable'])
    const [disconnected] = await upstream.ids([{ channel: { ...channel, sealedToken: null }, media: await stored() }])
    expect(disconnected).toMatchObject({ kind: 'unavailable', brake: 'channel' })
  })

  test('many at once all arrive', async () => {
    const media = await Promise.all(Array.from({ length: 25 }, () => stored()))
    const answers = await upstream.ids(media.map((each) => ({ channel, media: each })))
    expect(new Set(answers.map((each) => each.kind))).toEqual(new Set(['uploaded']))
    expect(held()).toHaveLength(25)
  })
})

// rule: media 2
test('a document may be larger in a message than in an upload', () => {
  const mb = 1024 * 1024
  const sizes = (['image', 'audio', 'video', 'document', 'sticker'] as const).map((kind) => sendBytesMax({ kind, animated: false }))
  expect(sizes).toEqual([5 * mb, 16 * mb, 16 * mb, 100 * mb, 100 * 1024])
  expect(sendBytesMax({ kind: 'sticker', animated: true })).toBe(500 * 1024)
})

describe('a link', () => {
  const bases = ['http://localhost:8080', 'https://gateway.example/pombo', 'https://files.example']
  const token = 'A'.repeat(43)
  test.each([
    ['http://localhost:8080/files/TOKEN/a.png'],
    ['https://localhost:8080/files/TOKEN/a.png'],
    ['https://gateway.example/pombo/files/TOKEN/a%20b.png'],
    ['http://files.example/files/TOKEN/a.png?v=2#x'],
    ['HTTPS://FILES.example/files/TOKEN/a.png'],
  ])('%s is that of a file of ours', (link) => {
    expect(parseMediaReference(link.replace('TOKEN', token), bases)).toEqual({ token })
  })

  test.each([
    'https://files.example/',
    'https://files.example/v1/messages',
    `https://files.example/files/${token}`,
    `https://files.example/files/${token}/`,
    `https://files.example/files/${token}/a/b`,
    `https://files.example/files/${token}x/a.png`,
    'https://gateway.example/pombo',
  ])('%s is ours and names no file', (link) => {
    expect(parseMediaReference(link, bases)).toEqual({ token: null })
  })

  test.each([
    `https://elsewhere.example/files/${token}/a.png`,
    `https://gateway.example/files/${token}/a.png`,
    `https://gateway.example/pombos/files/${token}/a.png`,
    `http://localhost:9090/files/${token}/a.png`,
    `ftp://files.example/files/${token}/a.png`,
    `https://files.example@elsewhere.example/files/${token}/a.png`,
    'not a link',
    '',
  ])('%s is somebody else’s', (link) => {
    expect(parseMediaReference(link, bases)).toBeNull()
  })

  test('that was made here is found again', async () => {
    const media = await stored()
    for (const base of bases) expect(parseMediaReference(mediaUrl(base, media), bases)).toEqual({ token: media.token })
  })
})

test('files are found by id and by token, in the order asked; those of another account are not there', async () => {
  const [one, other] = [await stored(), await stored()]
  const stranger = await gateway.account()
  const accountId = account.uuid
  const wanted: WantedMedia[] = [
    { accountId, token: other.token },
    { accountId: stranger.uuid, token: one.token },
    { accountId, id: one.id },
    { accountId, id: newUuid(clock.now()) },
    { accountId: stranger.uuid, id: other.id },
    { accountId, token: 'A'.repeat(43) },
    { accountId, id: other.id },
  ]
  const found = await findMedia(gateway.deps.database, wanted)
  expect(found.map((each) => each?.id ?? null)).toEqual([other.id, null, one.id, null, null, null, other.id])
  expect(await findMedia(gateway.deps.database, [])).toEqual([])
})

// rule: media 5
describe('what a person sent', () => {
  const declared = { kind: 'document', mimeType: 'application/zip' } as const
  async function keep(bytes: Buffer, of: TestAccount = account) {
    const path = join(gateway.config.dataDir, 'temporary', newUuid(clock.now()))
    await writeFile(path, bytes)
    const sha256 = createHash('sha256').update(bytes).digest()
    const file = { accountId: of.uuid, path, sizeBytes: bytes.length, sha256, fileName: 'a.zip' }
    const observe = (each: Observation) => observed.push(each)
    return storeFile({ ...gateway.deps, clock, storage, observe }, { ...file, declared })
  }

  test('is kept whatever it is, as upstream called it, and counts as no upload', async () => {
    await stored(Buffer.from('the directory of temporary files is there'))
    const media = await keep(gif())
    expect(media).toMatchObject({ kind: 'document', mimeType: 'application/zip', sizeBytes: gif().length, fileName: 'a.zip' })
    const { bytes } = await gateway.call('GET', new URL(mediaUrl(gateway.config.filesUrl, media)).pathname)
    expect(bytes.equals(gif())).toBe(true)
    expect(await keep(jpeg(99))).toMatchObject({ kind: 'image', mimeType: 'image/jpeg' })
    const [quota] = await sql<{ bytes: number }>(gateway.deps.database, 'select bytes from media_quota where account_id = $1', [
      account.uuid,
    ])
    expect(quota?.bytes).toBe('the directory of temporary files is there'.length)
  })

  test('and has been stored before, or comes many times at once, is the same file', async () => {
    const bytes = png(70_000)
    const known = await stored(bytes)
    expect((await keep(bytes)).id).toBe(known.id)
    const both = await Promise.all(Array.from({ length: 8 }, () => keep(png(70_001))))
    expect(new Set(both.map((each) => each.id)).size).toBe(1)
    const directory = join(gateway.config.dataDir, 'files', account.uuid.replaceAll('-', ''))
    expect((await readdir(directory, { recursive: true })).filter((each) => each.includes('/'))).toHaveLength(2)
  })
})

describe('a file of upstream’s', () => {
  const bytes = Buffer.alloc(400_000, 'voz ')
  const look = async (mediaId: string) => {
    const call = { token: account.channel.token, phoneNumberId: account.channel.phoneNumberId, mediaId }
    return readUpstreamMedia(gateway.gateway.graph, call)
  }
  const put = () => {
    const { phoneNumberId } = account.channel
    return gateway.simulator.putMedia({ bytes, mimeType: 'audio/ogg; codecs=opus', phoneNumberId }).id
  }
  let path: string
  beforeEach(async () => {
    // The first upload makes the directory.
    await stored()
    path = join(gateway.config.dataDir, 'temporary', newUuid(clock.now()))
  })
  const download = (url: string, more: { token?: string; bytesMax?: number; sha256?: Buffer | null } = {}) =>
    downloads.download({ url, token: account.channel.token, path, bytesMax: bytes.length, sha256: null, ...more })
  const isThere = () =>
    readFile(path).then(
      (found) => found.equals(bytes),
      () => false,
    )

  test('is looked up and fetched whole', async () => {
    const found = await look(put())
    const sha256 = createHash('sha256').update(bytes).digest()
    expect(found).toMatchObject({ ok: true, value: { mimeType: 'audio/ogg; codecs=opus', sizeBytes: bytes.length, sha256 } })
    if (!found.ok) return
    const fetched = await download(found.value.url, { sha256 })
    expect(fetched).toEqual({ kind: 'downloaded', sizeBytes: bytes.length, sha256, mimeType: 'audio/ogg; codecs=opus' })
    expect(await isThere()).toBe(true)
  })

  test('has its hash in hex or in base64', () => {
    const sha256 = createHash('sha256').update(bytes).digest()
    expect([digestOf(sha256.toString('hex')), digestOf(sha256.toString('base64'))]).toEqual([sha256, sha256])
    expect([digestOf('abc'), digestOf(undefined), digestOf(7)]).toEqual([null, null, null])
  })

  test('that is not there is refused with upstream’s code', async () => {
    expect(await look('1234567890123456')).toMatchObject({ ok: false, refusal: { reached: true, code: 100 } })
  })

  test('whose link is dead, or whose token is, is gone: it must be looked up again', async () => {
    const id = put()
    const url = gateway.simulator.mediaUrl(id)
    expect(await download(url, { token: 'nobody' })).toEqual({ kind: 'gone', statusCode: 401 })
    gateway.simulator.expireMediaUrls(id)
    expect(await download(url)).toEqual({ kind: 'gone', statusCode: 404 })
    expect(await isThere()).toBe(false)
  })

  test('is refused one byte above the bound, and nothing of it is left', async () => {
    const url = gateway.simulator.mediaUrl(put())
    expect(await download(url, { bytesMax: bytes.length - 1 })).toMatchObject({ kind: 'refused' })
    expect(await isThere()).toBe(false)
  })

  test.each<[string, FaultRule['fault']]>([
    ['other bytes than were announced', { kind: 'altered' }],
    ['half of it', { kind: 'truncated' }],
    ['an error', { kind: 'html' }],
    ['no answer', { kind: 'drop' }],
  ])('of which %s come is not taken, and nothing of it is left', async (_what, fault) => {
    const id = put()
    const url = gateway.simulator.mediaUrl(id)
    gateway.simulator.addFaults({ match: { call: 'media-download', id }, fault })
    const sha256 = createHash('sha256').update(bytes).digest()
    expect(await download(url, { sha256 })).toMatchObject({ kind: 'unavailable' })
    expect(await isThere()).toBe(false)
    expect(await download(url, { sha256 })).toMatchObject({ kind: 'downloaded' })
  })

  test.each([
    'https://example.com/file',
    'https://fbsbx.com.example.com/file',
    'https://evilfbsbx.com/file',
    'http://lookaside.fbsbx.com/file',
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    'not a url',
  ])('at %s is not asked for: the token stays here', async (url) => {
    expect(await download(url)).toEqual({ kind: 'refused', because: 'the address is not one of the platform' })
  })
})
