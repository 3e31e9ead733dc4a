import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isObject, type JsonObject, parseAnyJson } from '../../src/base/json.ts'
import type { TestAccount } from './accounts.ts'
import type { ReceivedEvent } from './events.ts'
import { jpeg, movie, mp3, ogg, pdf, png, webp } from './files.ts'
import type { TestGateway } from './gateway.ts'

/** A person of the fixtures' made-up world. */
export type FixturePerson = { phone: string; name: string | null; userId: string }

export const maya: FixturePerson = { phone: '15550107712', name: 'Maya Okafor', userId: 'US.48120773650912' }
export const nils: FixturePerson = { phone: '', name: 'Nils', userId: 'DE.20593318847716' }
/** As upstream spells him, and as everyone sees him. */
export const bruno: FixturePerson = { phone: '551100000001', name: 'Bruno Teixeira', userId: 'BR.77310946258831' }
export const lucia: FixturePerson = { phone: '525500000002', name: 'Lucía Paz', userId: 'MX.61180245997310' }

/** What must be there before a notice can mean anything: a message of ours that upstream has under this wamid of the fixture. */
export type FixtureSend = { wamid: string; to: FixturePerson }

/** One fixture in a world of its own. */
export type FixtureWorld = {
  account: TestAccount
  /** The body as it was posted. */
  body: JsonObject
  /** Ours by the wamid of the fixture. */
  sent: ReadonlyMap<string, { id: string; wamid: string }>
  /** The events that it led to, in the order in which they were made; waits until the customer has them. */
  events(): Promise<ReceivedEvent[]>
  get(path: string): Promise<JsonObject & { data: JsonObject[] }>
  /** Whether a text to this person is accepted, through the first number. */
  isOpenFor(person: FixturePerson): Promise<boolean>
  /** Posts a fixture, this one again or another, and waits until it was worked through. */
  post(name: string): Promise<void>
  /** A moment of the fixture, as it is posted. */
  at(seconds: number): string
}

const folder = new URL('../fixtures/notices/', import.meta.url)
const fixturesBegan = 1_793_000_000
/** The bytes that upstream has for a file of the fixtures, by the type that it states. */
const files: Readonly<Record<string, Buffer>> = {
  'image/jpeg': jpeg(),
  'image/png': png(1),
  'audio/ogg; codecs=opus': ogg('opus'),
  'audio/mpeg': mp3(),
  'video/mp4': movie(),
  'application/pdf': pdf(),
  'image/webp': webp({ animated: true }),
}

/** How large a file of that type is. */
export const fixtureFileBytes = (mimeType: string): number => fileOf(mimeType).length

function fileOf(mimeType: string): Buffer {
  const bytes = files[mimeType]
  if (bytes === undefined) throw new Error(`no file of the type ${mimeType} is made here`)
  return bytes
}

/** Makes the world of a fixture, with numbers and messages of ours where the fixture names some, and posts it as upstream does. */
export async function postFixture(gateway: TestGateway, name: string, sends: readonly FixtureSend[] = []): Promise<FixtureWorld> {
  const account = await gateway.account({ channels: 2 })
  const events = await gateway.events(account)
  // The fixtures' time is one that a window could not be open from; their hour begins a quarter of an hour ago.
  const beganSeconds = Math.floor(Date.now() / 1_000) - 900
  const sent = new Map<string, { id: string; wamid: string }>()
  const post = async (body: string) => {
    for (const { id, mimeType } of filesIn(body))
      gateway.simulator.putMedia({ id, bytes: fileOf(mimeType), mimeType, phoneNumberId: account.channel.phoneNumberId })
    const [told] = await gateway.simulator.postNotice(body)
    if (told?.status !== 200) throw new Error(`the notice was answered ${told?.status}`)
    await gateway.noticesWorked()
  }
  const mapped = (fixture: string) => mapFixture(fixture, { account, beganSeconds, sent })
  for (const each of sends) {
    await post(JSON.stringify(greeting(account, each.to)))
    const to = each.to.phone === '' ? each.to.userId : each.to.phone
    const answer = await gateway.call('POST', '/v1/messages', {
      key: account.live,
      body: { to, type: 'text', text: { body: 'Olá!' }, channel_id: account.channel.id, client_reference: 'of the fixture' },
    })
    const event = await events.of(answer.body.id, 'message.sent')
    sent.set(each.wamid, { id: answer.body.id, wamid: event.data.wamid })
  }
  const before = new Set((await eventRows(gateway, account)).map((each) => each.id))
  const text = mapped(name)
  await post(text)
  const body = parseAnyJson(text)
  if (!isObject(body)) throw new Error(`${name} is no object`)
  const get = async (path: string) => (await gateway.call('GET', path, { key: account.live })).body
  return {
    account,
    body,
    sent,
    get,
    post: (fixture) => post(mapped(fixture)),
    at: (seconds) => new Date((seconds - fixturesBegan + beganSeconds) * 1_000).toISOString(),
    async events() {
      await filesFetched(gateway, account)
      const rows = (await eventRows(gateway, account)).filter((each) => !before.has(each.id))
      return Promise.all(rows.map(({ id }) => events.until((event) => event.id === id)))
    },
    async isOpenFor(person) {
      const body = { to: person.phone, type: 'text', text: { body: 'Oi' }, channel_id: account.channel.id }
      const { status } = await gateway.call('POST', '/v1/messages', { key: account.live, body })
      return status === 202
    },
  }
}

type Mapping = { account: TestAccount; beganSeconds: number; sent: ReadonlyMap<string, { wamid: string }> }

/** The fixture's text with the ids of this world: numbers, accounts, times, hashes and what was sent. */
function mapFixture(name: string, { account, beganSeconds, sent }: Mapping): string {
  const [first, second] = account.channels
  if (first === undefined || second === undefined) throw new Error('bug: two numbers were made')
  const names: [string, string][] = [
    ['118350927764405', first.phoneNumberId],
    ['118350927764999', second.phoneNumberId],
    ['204817396550128', first.wabaId],
    ['204817396559999', second.wabaId],
    ['15550104477', first.displayDigits],
    ['15550104488', second.displayDigits],
    ...[...sent].map(([wamid, ours]): [string, string] => [wamid, ours.wamid]),
  ]
  const text = names.reduce((whole, [from, to]) => whole.replaceAll(from, to), readFileSync(new URL(`${name}.json`, folder), 'utf8'))
  return (
    text
      .replaceAll(/\b1793(\d{6})\b/g, (seconds) => String(Number(seconds) - fixturesBegan + beganSeconds))
      // Half a year old by the fixtures' own clock.
      .replaceAll(/\b178(\d{7})\b/g, (seconds) => String(Number(seconds) - fixturesBegan + beganSeconds))
      .replaceAll(
        /("mime_type": "([^"]+)",\s*"sha256": ")[^"]+/g,
        (_whole, start, mimeType) => `${start}${createHash('sha256').update(fileOf(mimeType)).digest('base64')}`,
      )
  )
}

const filesIn = (text: string): { mimeType: string; id: string }[] =>
  [...text.matchAll(/"mime_type": "([^"]+)",\s*"sha256": "[^"]+",\s*"id": "(\d+)"/g)].map(([, mimeType = '', id = '']) => ({
    mimeType,
    id,
  }))

/** What a person writes so that they may be answered. */
function greeting({ channel }: TestAccount, { phone, name, userId }: FixturePerson) {
  const from = phone === '' ? {} : { from: phone }
  const seconds = String(Math.floor(Date.now() / 1_000))
  const id = `wamid.GREETING-${userId}-${channel.phoneNumberId}-${seconds}`
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: channel.wabaId,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: channel.displayDigits, phone_number_id: channel.phoneNumberId },
              contacts: [{ profile: { name }, user_id: userId, ...(phone === '' ? {} : { wa_id: phone }) }],
              messages: [{ ...from, from_user_id: userId, id, timestamp: seconds, type: 'text', text: { body: 'Hi' } }],
            },
          },
        ],
      },
    ],
  }
}

const rowsOf = <Row>(gateway: TestGateway, sql: string, values: readonly unknown[]) =>
  gateway.deps.database.all<Row>({ compile: () => ({ sql, parameters: values }) as never })

const eventRows = (gateway: TestGateway, account: TestAccount) =>
  rowsOf<{ id: string }>(gateway, "select 'evt_' || replace(id::text, '-', '') as id from event where account_id = $1 order by event.id", [
    account.uuid,
  ])

/** Until nothing is to be fetched any more: an event that waits for its file comes with it. */
async function filesFetched(gateway: TestGateway, account: TestAccount): Promise<void> {
  for (;;) {
    const from = gateway.observations.all.length
    const waiting = await rowsOf(gateway, 'select 1 from file_fetch where account_id = $1 and not given_up limit 1', [account.uuid])
    if (waiting.length === 0) return
    await gateway.observations.until((each) => each.kind === 'file.tried', { from })
  }
}
