import { present } from '../../src/base/assert.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { Document } from '../support/contract.ts'
import type { ReceivedEvent, TestEvents } from '../support/events.ts'
import type { TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'
import { stable, stableSignature } from './stable.ts'

/** What the stories of events are told with. */
export type Stage = { gateway: TestGateway; account: TestAccount; events: TestEvents }

/** How each kind comes about. A kind without a story is shown as one that comes later: whoever adds it to the gateway adds its story here. */
const stories: Readonly<Record<string, (stage: Stage) => Promise<ReceivedEvent>>> = {
  async 'message.received'({ gateway, account, events }) {
    await gateway.letWrite(account, gateway.newPerson(), { name: 'Maria Silva', text: 'Oi! Vocês entregam hoje?' })
    return events.until((event) => event.type === 'message.received')
  },
  'message.sent': (stage) => toldOfSend(stage, 'message.sent'),
  'message.delivered': (stage) => toldOfSend(stage, 'message.delivered'),
  'message.read': (stage) => toldOfSend(stage, 'message.read'),
  'message.failed': (stage) => toldOfSend(stage, 'message.failed', '131026'),
}

/** A person writes, is answered, and the events of the answer come. `ending` chooses how the simulated platform ends it. */
async function toldOfSend({ gateway, account, events }: Stage, kind: string, ending?: string): Promise<ReceivedEvent> {
  const person = gateway.newPerson(ending)
  await gateway.letWrite(account, person, { name: 'Maria Silva' })
  const body = textTo(person, 'Olá, Maria! O pedido 4711 saiu para entrega.', { client_reference: 'pedido-4711' })
  const { id } = (await gateway.call('POST', '/v1/messages', { key: account.live, body })).body
  return events.of(id, kind)
}

/** `docs/events.md`, from events that the gateway tells now. */
export async function eventsDocument(stage: Stage): Promise<string> {
  const { webhooks } = stage.gateway.contract.document
  const kinds = Object.keys(webhooks)
  const strangers = Object.keys(stories).filter((kind) => !kinds.includes(kind))
  if (strangers.length > 0) throw new Error(`stories of kinds that the contract lacks: ${strangers.join(', ')}`)
  const sections: string[] = []
  for (const kind of kinds.filter((each) => stories[each] !== undefined)) sections.push(await sectionOf(stage, kind, webhooks[kind]))
  const later = kinds.filter((kind) => stories[kind] === undefined)
  return `${heading(sections.length)}\n${sections.join('\n')}${later.length === 0 ? '' : laterText(later, webhooks)}`
}

async function sectionOf(stage: Stage, kind: string, { post }: Document): Promise<string> {
  const event = await present(stories[kind], 'only kinds with a story have a section')(stage)
  const { raw, signature, ...body } = event
  const headers = [
    'Content-Type: application/json',
    `Service-Signature: ${stableSignature(signature)}`,
    `Service-Event-Id: ${stableId(body)}`,
    `Service-Event-Type: ${kind}`,
  ]
  return [`## ${kind}`, '', post.description, '', '```http', ...headers, '', stable(body), '```', ''].join('\n')
}

const stableId = (body: object): string => JSON.parse(stable(body)).id

function laterText(kinds: readonly string[], webhooks: Document): string {
  const lines = kinds.map((kind) => `- \`${kind}\`: ${webhooks[kind].post.description}`)
  return `\n## Later\n\nThe contract has these kinds and a webhook may ask for them; this version does not tell them yet.\n\n${lines.join('\n')}\n`
}

const heading = (told: number) => `# Events

What happens is told to every webhook of the account that asked for its kind, as a POST of JSON: ${told} kinds so far. Only a 2xx within 10 seconds is a
receipt; else the same bytes come again after 1 minute, 5 minutes, 25 minutes, 2 hours and 10 hours. An event has one \`id\` in all its attempts:
discard what comes twice. Order is not promised: go by \`sent_at\`, \`delivered_at\` and \`read_at\`.

\`v1\` in \`Service-Signature\` is the HMAC-SHA256 of \`<t>.<body>\` over the exact bytes, with the webhook's secret as its key; \`t\` is in seconds, and a receiver
refuses what is more than 300 seconds off. While a previous secret still counts there is one more \`v1\`.

Each example below was told by a gateway; ids, times and signatures are replaced. Written by \`npm run docs\` from running stories, and compared by a
test: change \`server/test/documents/events.ts\`, not this file.
`
