import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { pdf, png, webp } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { nobodys } from '../support/texts.ts'

const templates = [
  {
    name: 'vitrine',
    language: 'pt_BR',
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'A vitrine de hoje' },
    ],
  },
  {
    name: 'nota',
    language: 'pt_BR',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'A nota' },
    ],
  },
  { name: 'ofertas', language: 'pt_BR', components: [{ type: 'BODY', text: 'Ofertas' }] },
]

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { FILES_URL: 'https://files.example' }, simulator: { templates } })
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

// rule: send 10
describe('a file of ours inside another message', () => {
  type File = { link?: string; id?: string }
  const cta = { name: 'cta_url', parameters: { display_text: 'Ver', url: 'https://loja.example' } }
  const card = (image: File) => ({ type: 'cta_url', header: { type: 'image', image }, action: cta })
  const headed = (image: File) => [{ type: 'header', parameters: [{ type: 'image', image }] }]
  const button = { buttons: [{ type: 'reply', reply: { id: 'sim', title: 'Sim' } }] }
  const places = [
    ["a template's header", 'template', (image: File) => ({ name: 'vitrine', language: 'pt_BR', components: headed(image) })],
    [
      'a card of a template',
      'template',
      (image: File) => ({
        name: 'ofertas',
        language: 'pt_BR',
        components: [{ type: 'carousel', cards: [{ card_index: 0, components: headed(image) }] }],
      }),
    ],
    [
      'an interactive header',
      'interactive',
      (image: File) => ({ type: 'button', header: { type: 'image', image }, body: { text: 'Confirma?' }, action: button }),
    ],
    [
      'a card of a carousel',
      'interactive',
      (image: File) => ({ type: 'carousel', body: { text: 'Ofertas' }, action: { cards: [card(image), card(image)] } }),
    ],
  ] as const
  const uploadsOfBytes = (bytes: Buffer) => gateway.simulator.media.filter((each) => each.origin === 'upload' && each.bytes.equals(bytes))

  test.each(places)('%s is sent by the id that upstream gave for its bytes, uploaded once', async (_place, type, content) => {
    const bytes = png(2_000 + ++shades)
    const media = await uploaded(bytes)
    for (const named of [{ link: media.url }, { link: `${media.url}?v=2` }, { id: media.id }]) {
      const { status, body } = await send({ to: await openPerson(), type, [type]: content(named) })
      expect([status, body.error]).toEqual([202, null])
      const taken = await takenUpstream(body.id)
      const [held, ...more] = uploadsOfBytes(bytes)
      expect(more).toEqual([])
      const sent = content({ id: held?.id ?? '' })
      expect(taken[type]).toEqual(type === 'template' ? { ...sent, language: { code: 'pt_BR' } } : sent)
    }
  })

  test('goes upstream once for each, where a message has several', async () => {
    const both = [png(2_000 + ++shades), png(2_000 + ++shades)]
    const media = await Promise.all(both.map((bytes) => uploaded(bytes)))
    const cards = [...media, ...media].map((each) => card({ link: each.url }))
    const interactive = { type: 'carousel', body: { text: 'Ofertas' }, action: { cards } }
    const { body } = await send({ to: await openPerson(), type: 'interactive', interactive })
    const taken = JSON.stringify(await takenUpstream(body.id))
    for (const bytes of both) {
      expect(uploadsOfBytes(bytes)).toHaveLength(1)
      expect(taken.split(`"id":"${uploadsOfBytes(bytes)[0]?.id}"`)).toHaveLength(3)
    }
  })

  test('a document keeps its own name', async () => {
    const media = await uploaded(pdf(), 'Nota 4711.pdf')
    const components = [{ type: 'header', parameters: [{ type: 'document', document: { link: media.url } }] }]
    const { body } = await send({ to: await openPerson(), type: 'template', template: { name: 'nota', language: 'pt_BR', components } })
    expect(JSON.stringify(await takenUpstream(body.id))).toContain('"filename":"Nota 4711.pdf"')
  })

  test("somebody else's link, and what a flow is given, go upstream as they are written", async () => {
    const media = await uploaded()
    const parameters = {
      flow_id: '118350927764405',
      flow_cta: 'Abrir',
      flow_action_payload: { screen: 'INICIO', data: { type: 'image', image: { link: media.url } } },
    }
    const header = { type: 'image', image: { link: 'https://loja.example/vitrine.jpg' } }
    const interactive = { type: 'flow', header, body: { text: 'Abra' }, action: { name: 'flow', parameters } }
    const { body } = await send({ to: await openPerson(), type: 'interactive', interactive })
    expect((await takenUpstream(body.id)).interactive).toEqual(interactive)
  })

  test('400 invalid_request: it is of another kind than its place, or there are too many', async () => {
    const media = await uploaded(webp(), 'adesivo.webp')
    const to = await openPerson()
    const components = headed({ link: media.url })
    const wrong = await send({ to, type: 'template', template: { name: 'vitrine', language: 'pt_BR', components } })
    expect([wrong.status, wrong.body.error.details[0].field]).toEqual([400, 'template.components[0].parameters[0].image.link'])
    const { url: link } = await uploaded()
    const cards = (count: number) => ({ type: 'carousel', action: { cards: Array.from({ length: count }, () => card({ link })) } })
    expect((await send({ to, type: 'interactive', interactive: cards(31) })).status).toBe(400)
    expect((await send({ to, type: 'interactive', interactive: cards(30) })).status).toBe(202)
  })

  test('404 not_found: this account does not have it', async () => {
    const theirs = await uploaded(png(2_000 + ++shades), 'deles.png', await gateway.account())
    const to = await openPerson()
    for (const [by, image] of [
      ['link', { link: theirs.url }],
      ['link', { link: 'https://files.example/other' }],
      ['id', { id: nobodys('med') }],
    ] as const) {
      const answer = await send({ to, type: 'template', template: { name: 'vitrine', language: 'pt_BR', components: headed(image) } })
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
      expect(answer.body.error.details[0].field).toBe(`template.components[0].parameters[0].image.${by}`)
    }
  })

  test('a test key may send it, and nothing of it reaches upstream', async () => {
    const bytes = png(2_000 + ++shades)
    const media = await uploaded(bytes)
    const components = headed({ link: media.url })
    const { body } = await send(
      { to: gateway.newPerson(), type: 'template', template: { name: 'vitrine', language: 'pt_BR', components } },
      account.test,
    )
    await events.of(body.id, 'message.read')
    expect(uploadsOfBytes(bytes)).toEqual([])
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
