import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import type { TestAccount } from '../support/accounts.ts'
import type { Document } from '../support/contract.ts'
import type { TestGateway } from '../support/gateway.ts'
import { newTemplate } from '../support/templates.ts'
import { nobodys, textTo } from '../support/texts.ts'
import { type Hints, type Mends, mostly } from './values.ts'

/** An account with something of everything, for requests that should find what they ask for. */
export type World = {
  account: TestAccount
  /** By the parts of a path that placeholders follow. The lists change as things come and go. */
  existing: Record<string, string[][]>
  hints: Hints
  mends: Mends
  /** A key for one more call of an operation; uploads have a limit of their own, so they take turns. */
  keyFor(operation: { form: boolean }): Promise<string>
  /** Makes what was used up or deleted, and removes what has become too much. */
  refresh(): Promise<void>
  close(): void
}

const webhooksKept = 3
const uploadsOfKey = 25
const templatesKept = 3

export async function createWorld(gateway: TestGateway): Promise<World> {
  const account = await gateway.account()
  const person = gateway.newPerson()
  await gateway.letWrite(account, person)
  const receiver = createServer((_request, response) => response.writeHead(204).end())
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`
  const existing: World['existing'] = {}
  const call: TestGateway['call'] = (method, path, options) => gateway.call(method, path, { key: account.live, ...options })
  // What is asked for may have been deleted meanwhile.
  const idsOf = async (path: string): Promise<string[]> => ((await call('GET', path)).body.data ?? []).map(({ id }: { id: string }) => id)
  const register = async (): Promise<string[]> => {
    const { status, body } = await call('POST', '/v1/webhooks', { body: { url: receiverUrl, events: ['*'] } })
    return status === 201 ? [body.id] : []
  }
  const work = async () => {
    const webhooks = (await idsOf('/v1/webhooks')).filter((id) => id !== steady)
    for (const id of webhooks.splice(webhooksKept)) await call('DELETE', `/v1/webhooks/${id}`)
    for (let missing = webhooksKept - webhooks.length; missing > 0; missing -= 1) webhooks.push(...(await register()))
    const templates: string[] = (await call('GET', '/v1/templates')).body.data.map(({ name }: { name: string }) => name)
    for (let missing = templatesKept - templates.length; missing > 0; missing -= 1) {
      made += 1
      const { status, body } = await call('POST', '/v1/templates', { body: newTemplate(`fuzz_${made}`) })
      if (status === 201) templates.push(body.name)
    }
    await call('POST', '/v1/marketing-opt-outs', { body: { phone: person } })
    await call('POST', '/v1/messages', { body: textTo(person) })
    const [received, sent] = await Promise.all([idsOf('/v1/messages?direction=inbound'), idsOf('/v1/messages?direction=outbound')])
    const deliveries = await idsOf(`/v1/webhooks/${steady}/deliveries`)
    existing.messages = [...received.slice(0, 3), ...sent.slice(0, 3)].map((id) => [id])
    existing.templates = templates.map((name) => [name])
    existing.webhooks = webhooks.map((id) => [id])
    existing['marketing-opt-outs'] = [[person]]
    existing['webhooks/deliveries'] = deliveries.slice(0, 5).map((id) => [steady, id])
  }
  // Known to nobody but those who ask for its deliveries: the others are changed, disabled and deleted.
  const [steady = ''] = await register()
  let made = 0
  let uploads = 0
  let uploader = account
  // One after the other: two at once would count the same webhooks.
  let last = Promise.resolve()
  const world: World = {
    account,
    existing,
    hints: hintsOf(account, person, receiverUrl, existing),
    mends,
    async keyFor({ form }) {
      if (!form) return account.live
      uploads += 1
      if (uploads % uploadsOfKey === 0) uploader = await gateway.account({ channels: 0 })
      return uploader.live
    },
    refresh() {
      last = last.then(work)
      return last
    },
    close() {
      receiver.closeAllConnections()
      receiver.close()
    },
  }
  // The first makes something to tell of, the second finds the deliveries of it.
  await world.refresh()
  await world.refresh()
  return world
}

const mends: Mends = {
  ...Object.fromEntries(['image', 'audio', 'video', 'document', 'sticker'].map((kind) => [kind, withOneFile])),
  month: (made: string) => (made < '2026' ? made : '2026-01'),
}

/** Exactly one of the two names the file. */
function withOneFile({ link, id, ...rest }: Document): object {
  if (link !== undefined) return { ...rest, link }
  return { ...rest, ...(id === undefined ? { link: 'https://loja.example/vitrine.jpg' } : { id }) }
}

/** Fields about which the document says less than the server checks, each with values that are right. */
function hintsOf({ channel }: TestAccount, person: string, receiverUrl: string, existing: World['existing']): Hints {
  const digits = fc.stringMatching(/^[1-9][0-9]{9,14}$/)
  const phones = fc.oneof(
    fc.constant(person),
    digits,
    digits.map((text) => ` +${text.slice(0, 2)} (${text.slice(2, 4)}) ${text.slice(4, 9)}-${text.slice(9)}`),
  )
  const messages = mostly(() => existing.messages, [nobodys('msg')]).map(([id = '']) => id)
  const quoted = fc.oneof(messages, fc.stringMatching(/^wamid\.[A-Za-z0-9+/=]{1,60}$/))
  const times = fc.oneof(
    fc.date({ min: new Date('0001-01-02'), max: new Date('9998-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom('2026-11-27', '2026-11-27T21:11:41Z', '2026-11-27T21:11:41+03:00', '2026-11-27T21:11:41.7-0300'),
  )
  return {
    to: phones,
    phone: phones,
    channel_id: mostly(() => [channel.id], nobodys('ch')),
    reply_to: quoted,
    message_id: quoted,
    since: times,
    until: times,
    starting_after: phones,
    components: fc.array(fc.constantFrom({ type: 'BODY', text: 'Tudo certo.' }, {}), { minLength: 1, maxLength: 2 }),
    language: fc.constant('pt_BR'),
    link: fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.constant('https://loja.example/vitrine.jpg')),
    url: fc.constantFrom(receiverUrl, 'https://erp.example.com/eventos?loja=1', 'https://café.example.com:8443/'),
    'idempotency-key': fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 }).filter((text) => text === text.trim()),
  }
}
