import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { Answer, CallOptions, Method } from '../support/caller.ts'
import type { TestEvents } from '../support/events.ts'
import { png } from '../support/files.ts'
import { formOf, upload } from '../support/forms.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { newTemplate } from '../support/templates.ts'
import { nobodys, textTo } from '../support/texts.ts'

/** One account with one of everything, and all that nobody else may ever see of it. */
type Owner = {
  account: TestAccount
  person: string
  message: string
  testMessage: string
  inbound: string
  webhook: string
  delivery: string
  media: { id: string; url: string }
  /** Words that no answer to another account may hold. */
  words: string[]
}

let gateway: TestGateway
let owner: Owner
/** Who asks: another account, which has a number and a webhook of its own, and has met nobody. */
let other: TestAccount
let otherWebhook: TestEvents
let answers: { what: string; answer: Answer }[]

beforeAll(async () => {
  gateway = await startTestGateway()
  other = await gateway.account()
  otherWebhook = await gateway.events(other)
  owner = await accountWithEverything()
})
afterAll(() => gateway.close())

const reference = 'reference-of-the-owner'
const idempotencyKey = { 'idempotency-key': 'key-of-both' }
/** The same bytes in both accounts are two files. */
const form = formOf([{ name: 'file', fileName: 'de-quem.png', bytes: png(3_000) }])

async function accountWithEverything(): Promise<Owner> {
  const account = await gateway.account()
  const events = await gateway.events(account)
  const person = gateway.newPerson()
  const call = async (method: Method, path: string, options: CallOptions = {}) => {
    const answer = await gateway.call(method, `/v1${path}`, { key: account.live, ...options })
    if (answer.status >= 300) throw new Error(answer.text)
    return answer.body
  }
  await gateway.letWrite(account, person, { text: 'what-they-wrote', name: 'Name-of-theirs' })
  const inbound = (await call('GET', '/messages')).data[0].id
  const body = textTo(person, 'what-was-sent', { client_reference: reference })
  const message = (await call('POST', '/messages', { body, headers: idempotencyKey })).id
  const testMessage = (await call('POST', '/messages', { body, key: account.test, headers: idempotencyKey })).id
  await events.of(message, 'message.read')
  await events.of(testMessage, 'message.read')
  await call('POST', '/marketing-opt-outs', { body: { phone: person } })
  await call('POST', '/marketing-opt-outs', { body: { phone: person }, key: account.test })
  const { body: media } = await upload(gateway.call, form, { key: account.live })
  gateway.simulator.addTemplate(account.channel.wabaId, { name: 'do_dono', language: 'pt_BR' })
  const deliveries = await untilDelivered(() => call('GET', `/webhooks/${events.webhookId}/deliveries`))
  const things = { message, testMessage, inbound, webhook: events.webhookId, delivery: deliveries[0].id }
  const told = [
    ...Object.values(things),
    media.id,
    new URL(media.url).pathname.split('/')[2] ?? '',
    account.channel.id,
    events.secret,
    deliveries[0].event_id,
  ]
  return { account, person, media, ...things, words: [...told, 'what-was-sent', 'what-they-wrote', 'Name-of-theirs', reference] }
}

/** Its deliveries, once all of them have succeeded: from then on nothing of the owner's changes by itself. */
async function untilDelivered(read: () => Promise<Answer['body']>): Promise<Answer['body'][]> {
  for (;;) {
    const from = gateway.observations.all.length
    const { data } = await read()
    if (data.every((each: { status: string }) => each.status === 'succeeded')) return data
    await gateway.observations.until((each) => each.kind === 'webhook.attempt', { from })
  }
}

/** A request by the other account, and what it must be answered: a status, or an empty list. */
type Case = { path?: string; query?: Record<string, string>; body?: unknown; headers?: Record<string, string>; answer: number | 'empty' }
type Names = { owner: Owner; webhook: string }

const webhookPaths =
  (rest: string, body?: unknown) =>
  (names: Names): Case[] => [{ path: `/webhooks/${names.owner.webhook}${rest}`, answer: 404, ...(body !== undefined && { body }) }]
const received = { events: ['*'], url: 'https://example.com/mine' }

/**
 * What the other account asks for with each operation of the contract, by ids and words of the owner. Whoever adds an operation says here how
 * another account could try it.
 */
const cases: Readonly<Record<string, (names: Names) => Case[]>> = {
  'POST /v1/messages': ({ owner: { account, message, inbound, person, media } }) => [
    { body: { to: person, type: 'image', image: { link: media.url } }, answer: 404 },
    { body: { to: person, type: 'image', image: { id: media.id } }, answer: 404 },
    { body: { to: person, type: 'reaction', reaction: { message_id: inbound, emoji: '👍' } }, answer: 404 },
    { body: textTo(person, 'mine', { reply_to: message }), answer: 404 },
    { body: textTo(person, 'mine', { reply_to: inbound }), answer: 404 },
    { body: textTo(person, 'mine', { channel_id: account.channel.id }), answer: 404 },
    // The window that the person opened is the owner's.
    { body: textTo(person, 'mine'), headers: idempotencyKey, answer: 422 },
  ],
  'GET /v1/messages': ({ owner: { message, person } }) => [
    { answer: 'empty' },
    { query: { phone: person }, answer: 'empty' },
    { query: { client_reference: reference }, answer: 'empty' },
    { query: { starting_after: message }, answer: 'empty' },
    { query: { starting_after: nobodys('msg').replace(/_.{12}/, '_ffffffffffff') }, answer: 'empty' },
  ],
  'GET /v1/messages/{id}': ({ owner: { message, testMessage, inbound } }) =>
    [message, testMessage, inbound].map((id): Case => ({ path: `/messages/${id}`, answer: 404 })),
  'POST /v1/messages/{id}/read': ({ owner: { inbound } }) => [{ path: `/messages/${inbound}/read`, answer: 404 }],
  'POST /v1/media': () => [{ body: form.body, headers: { 'content-type': form.contentType }, answer: 201 }],
  'GET /v1/templates': () => [{ answer: 200 }],
  'POST /v1/templates': () => [{ body: newTemplate('deles'), answer: 201 }],
  'GET /v1/templates/{name}': () => [{ path: '/templates/do_dono', answer: 404 }],
  'DELETE /v1/templates/{name}': () => [{ path: '/templates/do_dono', answer: 404 }],
  'GET /v1/usage': () => [{ answer: 200 }],
  'GET /v1/channels': () => [{ answer: 200 }],
  'POST /v1/webhooks': () => [{ body: received, answer: 201 }],
  'GET /v1/webhooks': () => [{ answer: 200 }],
  'GET /v1/webhooks/{id}': webhookPaths(''),
  'PATCH /v1/webhooks/{id}': webhookPaths('', { enabled: false, url: 'https://example.com/theirs' }),
  'DELETE /v1/webhooks/{id}': webhookPaths(''),
  'POST /v1/webhooks/{id}/rotate-secret': webhookPaths('/rotate-secret'),
  'POST /v1/webhooks/{id}/test': webhookPaths('/test'),
  'GET /v1/webhooks/{id}/deliveries': ({ owner: { webhook, delivery }, webhook: own }) => [
    { path: `/webhooks/${webhook}/deliveries`, answer: 404 },
    { path: `/webhooks/${own}/deliveries`, query: { starting_after: delivery }, answer: 'empty' },
  ],
  'POST /v1/webhooks/{id}/deliveries/retry': webhookPaths('/deliveries/retry', { since: '2020-01-01' }),
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/retry': ({ owner: { webhook, delivery }, webhook: own }) => [
    { path: `/webhooks/${webhook}/deliveries/${delivery}/retry`, answer: 404 },
    { path: `/webhooks/${own}/deliveries/${delivery}/retry`, answer: 404 },
  ],
  'POST /v1/marketing-opt-outs': () => [{ body: { phone: '5511987650001' }, answer: 201 }],
  'GET /v1/marketing-opt-outs': () => [{ query: { starting_after: '1000000000' }, answer: 200 }],
  'DELETE /v1/marketing-opt-outs/{phone}': ({ owner: { person } }) => [{ path: `/marketing-opt-outs/${person}`, answer: 404 }],
}

test('every operation of the contract has a case here', () => {
  expect(Object.keys(cases).toSorted()).toEqual(gateway.contract.operations.toSorted())
})

/** All that the owner can read of what it has. */
async function ownersView(): Promise<string[]> {
  const { account, webhook, message, testMessage } = owner
  const live = ['/messages', `/messages/${message}`, '/channels', '/webhooks', `/webhooks/${webhook}`, `/webhooks/${webhook}/deliveries`]
  const shared = ['/messages', '/channels', '/marketing-opt-outs']
  const texts = async (key: string, paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await gateway.call('GET', `/v1${path}`, { key })).text))
  return [
    ...(await texts(account.live, [...live, '/marketing-opt-outs'])),
    ...(await texts(account.test, [...shared, `/messages/${testMessage}`])),
  ]
}

// rule: people 3
describe('nothing of one account is another one’s', () => {
  test('each operation, asked by another account with its live key, answers 404, an empty list, or only what is its own', async () => {
    const before = await ownersView()
    answers = []
    for (const [operation, casesOf] of Object.entries(cases)) {
      const [method = '', template = ''] = operation.split(' ')
      for (const { path, answer, ...options } of casesOf({ owner, webhook: otherWebhook.webhookId })) {
        const said = await gateway.call(method as Method, path === undefined ? template : `/v1${path}`, { key: other.live, ...options })
        const what = `${operation} ${JSON.stringify(options)}`
        answers.push({ what, answer: said })
        expect([what, said.status]).toEqual([what, answer === 'empty' ? 200 : answer])
        if (answer === 'empty') expect([what, said.body.data, said.body.has_more]).toEqual([what, [], false])
      }
    }
    expect(await ownersView()).toEqual(before)
  })

  test('no answer holds a word of the owner’s', () => {
    const told = answers.flatMap(({ what, answer }) => {
      const all = `${answer.text} ${JSON.stringify(answer.headers)}`
      return owner.words.filter((word) => all.includes(word)).map((word) => `${what}: ${word}`)
    })
    expect(answers.length).toBeGreaterThan(20)
    expect(told).toEqual([])
  })

  test('what is missing is missing in the words of an id that nobody has', async () => {
    const words = (answer: Answer) => ({ status: answer.status, ...answer.body.error, request_id: '' })
    for (const [operation, casesOf] of Object.entries(cases)) {
      const [method = ''] = operation.split(' ')
      for (const { path, answer, body } of casesOf({ owner, webhook: otherWebhook.webhookId })) {
        if (answer !== 404 || path === undefined) continue
        const nobody = path.replaceAll(new RegExp(owner.words.slice(0, 6).join('|'), 'g'), (id) => nobodys(id.split('_')[0] ?? ''))
        const options = { key: other.live, ...(body !== undefined && { body }) }
        const [theirs, none] = [
          await gateway.call(method as Method, `/v1${path}`, options),
          await gateway.call(method as Method, `/v1${nobody}`, options),
        ]
        expect(words(theirs)).toEqual(words(none))
      }
    }
  })

  test('with a test key neither: not of the owner’s test messages, its people, or its opt-outs', async () => {
    const call = (method: Method, path: string, options: CallOptions = {}) =>
      gateway.call(method, `/v1${path}`, { key: other.test, ...options })
    for (const id of [owner.message, owner.testMessage, owner.inbound]) expect((await call('GET', `/messages/${id}`)).status).toBe(404)
    expect((await call('GET', '/messages')).body.data).toEqual([])
    expect((await call('GET', '/marketing-opt-outs')).body.data).toEqual([])
    expect((await call('DELETE', `/marketing-opt-outs/${owner.person}`)).status).toBe(404)
    expect((await call('POST', '/messages', { body: textTo(owner.person, 'mine', { reply_to: owner.testMessage }) })).status).toBe(404)
    const sent = await call('POST', '/messages', { body: textTo(owner.person, 'mine'), headers: idempotencyKey })
    // The same key at the owner is another key here, and the person has no name for those who have not met them.
    expect([sent.status, sent.headers['idempotent-replayed'], sent.body.contact]).toEqual([
      202,
      undefined,
      { phone: owner.person, name: null },
    ])
  })

  test('the modes of one account are as far apart: its test key sees nothing that is live, its live key nothing of the test', async () => {
    const { account, message, testMessage } = owner
    const ids = async (key: string) => (await gateway.call('GET', '/v1/messages', { key })).body.data.map((each: { id: string }) => each.id)
    expect((await gateway.call('GET', `/v1/messages/${message}`, { key: account.test })).status).toBe(404)
    expect((await gateway.call('GET', `/v1/messages/${testMessage}`, { key: account.live })).status).toBe(404)
    expect(await ids(account.test)).toEqual([testMessage])
    expect(await ids(account.live)).not.toContain(testMessage)
  })

  test('an event of one account comes to no webhook of another', async () => {
    const wamid = await gateway.letWrite(other, gateway.newPerson())
    await otherWebhook.until((event) => event.data.wamid === wamid)
    const words = otherWebhook.all.flatMap((event) => owner.words.filter((word) => event.raw.includes(word)))
    expect(words).toEqual([])
  })
})
