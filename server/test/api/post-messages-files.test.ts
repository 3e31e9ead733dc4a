import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { pdf, png, webp } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { FILES_URL: 'https://files.example' } })
  account = await gateway.account()
  events = await gateway.events(account)
})
afterAll(() => gateway.close())

let shades = 0
const uploaded = async (bytes: Buffer = png(2_000 + ++shades), fileName = 'vitrine.png', of = account) =>
  (await upload(gateway.call, formOf([{ name: 'file', fileName, bytes }]), { key: of.live })).body
const send = (body: unknown, key = account.live) => gateway.call('POST', '/v1/messages', { key, body })
const openPerson = async () => {
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  return person
}
const takenUpstream = async (id: string) => {
  await events.of(id, 'message.sent')
  const [taken] = gateway.simulator.accepted.filter((each) => each.opaque?.startsWith(`${id}.`))
  return taken?.body as Record<string, Record<string, unknown>>
}
const uploadsOf = (fileName: string) => gateway.simulator.media.filter((each) => each.origin === 'upload' && each.fileName === fileName)

// rule: send 10
describe('a file of ours', () => {
  test.each([
    ['its permanent url', (media: { url: string }) => ({ link: media.url })],
    ['its id', (media: { id: string }) => ({ id: media.id })],
  ])('named by %s is sent by the id that upstream gave for its bytes, and the message shows all of it', async (_how, named) => {
    const bytes = png(2_000 + ++shades)
    const media = await uploaded(bytes, 'A vitrine.png')
    const { status, body } = await send({ to: await openPerson(), type: 'image', image: { ...named(media), caption: 'Hoje' } })
    expect([status, body.text]).toEqual([202, 'Hoje'])
    expect(body.media).toEqual({ url: media.url, mime_type: 'image/png', file_name: 'A vitrine.png', size_bytes: bytes.length })
    const { image } = await takenUpstream(body.id)
    expect(image).toEqual({ id: expect.any(String), caption: 'Hoje' })
    const [held] = gateway.simulator.media.filter((each) => each.id === image?.id)
    expect(held).toMatchObject({ mimeType: 'image/png', bytes, phoneNumberId: account.channel.phoneNumberId })
  })

  test('goes upstream once for any number of people', async () => {
    const media = await uploaded()
    const people = await Promise.all(Array.from({ length: 8 }, openPerson))
    const answers = await Promise.all(people.map((to) => send({ to, type: 'image', image: { link: media.url } })))
    const taken = await Promise.all(answers.map(({ body }) => takenUpstream(body.id)))
    const ids = new Set(taken.map(({ image }) => image?.id))
    expect(ids.size).toBe(1)
  })

  test('is known under every address of ours, whatever the scheme', async () => {
    const media = await uploaded()
    const path = new URL(media.url).pathname
    for (const link of [`http://files.example${path}`, `${gateway.config.publicUrl}${path}`]) {
      expect((await send({ to: await openPerson(), type: 'image', image: { link } })).body.media).toMatchObject({ url: media.url })
    }
  })

  test('that is a document keeps its own name upstream, or gets the one of the send', async () => {
    const media = await uploaded(pdf(), 'Nota 4711.pdf')
    const own = await send({ to: await openPerson(), type: 'document', document: { link: media.url } })
    expect((await takenUpstream(own.body.id)).document).toMatchObject({ filename: 'Nota 4711.pdf' })
    const given = await send({ to: await openPerson(), type: 'document', document: { link: media.url, filename: 'Nota.pdf' } })
    expect((await takenUpstream(given.body.id)).document).toMatchObject({ filename: 'Nota.pdf' })
  })

  test('may be sent with a test key, and nothing of it reaches upstream', async () => {
    const media = await uploaded(png(2_000 + ++shades), 'de teste.png')
    const { status, body } = await send({ to: gateway.newPerson(), type: 'image', image: { link: media.url } }, account.test)
    expect([status, body.media.url]).toEqual([202, media.url])
    await events.of(body.id, 'message.read')
    expect(uploadsOf('de teste.png')).toEqual([])
  })
})

test('media that upstream has already is sent by its id, and shown for good once it was fetched', async () => {
  const bytes = png(2_000 + ++shades)
  const held = gateway.simulator.putMedia({ bytes, mimeType: 'image/png', phoneNumberId: account.channel.phoneNumberId })
  const { status, body } = await send({ to: await openPerson(), type: 'image', image: { id: held.id } })
  expect([status, body.media]).toEqual([202, null])
  expect((await takenUpstream(body.id)).image).toEqual({ id: held.id })
  await gateway.observations.until((each) => each.kind === 'file.tried' && each.messageId === body.id)
  const { media } = (await gateway.call('GET', `/v1/messages/${body.id}`, { key: account.live })).body
  expect(media).toEqual({
    url: expect.stringContaining('https://files.example/files/'),
    mime_type: 'image/png',
    file_name: null,
    size_bytes: bytes.length,
  })
  const read = await gateway.call('GET', new URL(media.url).pathname)
  expect(Buffer.from(read.bytes)).toEqual(bytes)
})

describe('refused', () => {
  test('400 invalid_request: a file of another kind than the send', async () => {
    const media = await uploaded(webp(), 'adesivo.webp')
    const by = await send({ to: await openPerson(), type: 'image', image: { link: media.url } })
    expect([by.status, by.body.error.details[0].field]).toEqual([400, 'image.link'])
    const id = await send({ to: await openPerson(), type: 'video', video: { id: media.id } })
    expect([id.status, id.body.error.details[0].field]).toEqual([400, 'video.id'])
  })

  test('404 not_found: a file that this account does not have', async () => {
    const theirs = await uploaded(png(2_000 + ++shades), 'deles.png', await gateway.account())
    const to = await openPerson()
    const wrong = [
      { field: 'image.link', image: { link: theirs.url } },
      { field: 'image.link', image: { link: `https://files.example/files/${'x'.repeat(43)}/a.png` } },
      { field: 'image.link', image: { link: 'https://files.example/other' } },
      { field: 'image.id', image: { id: theirs.id } },
      { field: 'image.id', image: { id: nobodys('med') } },
    ]
    for (const { field, image } of wrong) {
      const answer = await send({ to, type: 'image', image })
      expect([answer.status, answer.body.error.code, answer.body.error.details[0].field]).toEqual([404, 'not_found', field])
    }
  })
})
