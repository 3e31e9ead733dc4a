import { createHash } from 'node:crypto'
import { present } from '../../src/base/assert.ts'
import type { Clock } from '../../src/base/clock.ts'
import { newUuid, type Uuid } from '../../src/base/id.ts'
import { canonicalJson, type JsonText } from '../../src/base/json.ts'
import { type Digits, parsePhone } from '../../src/base/phone.ts'
import { parseSecretKey } from '../../src/base/seal.ts'
import { createAccount } from '../../src/features/accounts/public.ts'
import { connectChannel } from '../../src/features/channels/public.ts'
import { type Contact, meetPeople, openWindows } from '../../src/features/contacts/public.ts'
import type { Send } from '../../src/features/messages/send-request.ts'
import type { UpstreamFiles } from '../../src/features/messages/upstream-files.ts'
import { followPeople } from '../../src/features/opt-outs/public.ts'
import type { CategoryReader } from '../../src/features/templates/public.ts'
import type { Database, Queries } from '../../src/platform/database/database.ts'
import type { Graph } from '../../src/platform/upstream/graph.ts'

export const secretKey = present(parseSecretKey(Buffer.alloc(32, 7).toString('base64')), '32 bytes')

/** An upstream that knows every number and takes every call of its management. */
export const goodGraph: Graph = {
  concurrentMax: 8,
  call: async ({ path }) => ({ kind: 'answer', statusCode: 200, body: JSON.stringify(goodAnswer(path)) }),
  close: async () => {},
}

function goodAnswer(path: string): object {
  if (path.includes('/phone_numbers')) return { data: Array.from({ length: numbers }, (_, i) => ({ id: numberId(i + 1) })) }
  if (path.endsWith('/subscribed_apps')) return { success: true, data: [{}] }
  return { success: true, display_phone_number: '+55 11 4000-0000', status: 'CONNECTED', platform_type: 'CLOUD_API' }
}

/** Where no template is sent to a person who has opted out. */
export const noTemplates: CategoryReader = async () => {
  throw new Error('nothing here asks for a category')
}

/** Where nothing with a file of ours is sent. */
export const noFiles: UpstreamFiles = {
  known: async () => new Map(),
  upload: async () => {
    throw new Error('nothing here has a file')
  },
}

export type StageNumber = { channelId: Uuid; phoneNumberId: string }
/** An account with a connected number, straight in the database: what the core needs and no more. */
export type Stage = StageNumber & { accountId: Uuid; addNumber(): Promise<StageNumber> }

let numbers = 0
const numberId = (n: number) => `11835${n}`

export async function newStage(database: Database, clock: Clock): Promise<Stage> {
  const account = await createAccount({ database, clock }, { name: 'Padaria', plan: null })
  if (!account.ok) throw new Error(account.refusal.message)
  const accountId = account.value.id
  const addNumber = async (): Promise<StageNumber> => {
    numbers += 1
    const number = { phoneNumberId: numberId(numbers), wabaId: `2048${numbers}`, token: `token${numbers}`, pin: null }
    const channel = await connectChannel({ database, clock, graph: goodGraph, secretKey }, { accountId, ...number })
    if (!channel.ok) throw new Error(channel.refusal.message)
    return { channelId: channel.value.id, phoneNumberId: number.phoneNumberId }
  }
  return { accountId, addNumber, ...(await addNumber()) }
}

export const digits = (text: string): Digits => present(parsePhone(text), 'a phone')

/** People who have just written to the number, so that their windows are open. */
export async function people(database: Database, clock: Clock, stage: Stage, phones: readonly string[]): Promise<Contact[]> {
  const { accountId, channelId } = stage
  return database.transaction(async (tx) => {
    const seen = phones.map((phone) => ({ accountId, livemode: true, waId: digits(phone), userId: null, name: null }))
    const contacts = (await meetPeople(tx, { clock, follow: followPeople }, seen)).map((each) => present(each, 'a person with a phone'))
    await openWindows(
      tx,
      clock.now(),
      contacts.map(({ id }) => ({ accountId, channelId, contactId: id, at: clock.now() })),
    )
    return contacts
  })
}

/** One of them. */
export async function person(database: Database, clock: Clock, stage: Stage, phone: string): Promise<Contact> {
  return present((await people(database, clock, stage, [phone]))[0], 'one was asked for')
}

/** A text to that phone, as `readSend` would make it. */
export function textTo(clock: Clock, stage: Stage, phone: string, more: Partial<Send> & { key?: string } = {}): Send {
  const { key, ...rest } = more
  const text = rest.text ?? 'Olá'
  const content = JSON.stringify({ text: { body: text } }) as JsonText
  const bodyHash = createHash('sha256').update(canonicalJson({ phone, text })).digest()
  return {
    id: newUuid(clock.now()),
    accountId: stage.accountId,
    livemode: true,
    recipient: { kind: 'phone', digits: digits(phone) },
    channelId: null,
    type: 'text',
    kind: 'text',
    text,
    content,
    file: null,
    template: null,
    replyTo: null,
    clientReference: null,
    contactName: null,
    source: 'api',
    author: null,
    idempotency: key === undefined ? null : { key, bodyHash },
    ...rest,
  }
}

/** SQL of a test's own. */
export function sql<Row>(queries: Queries, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return queries.all({ compile: () => ({ sql: text, parameters: values }) as never })
}
