import { present } from '../../src/base/assert.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { Document } from '../support/contract.ts'
import type { ReceivedEvent, TestEvents } from '../support/events.ts'
import type { TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'
import { stable, stableSignature } from './stable.ts'

/** What the stories of events are told with. */
export type Stage = { gateway: TestGateway; account: TestAccount; events: TestEvents }

/** How each kind comes about: all kinds of the contract have a story. */
const stories: Readonly<Record<string, (stage: Stage) => Promise<ReceivedEvent>>> = {
  async 'message.received'({ gateway, account, events }) {
    await gateway.letWrite(account, gateway.newPerson(), { name: 'Maria Silva', text: 'Oi! Vocês entregam hoje?' })
    return events.until((event) => event.type === 'message.received')
  },
  'message.sent': (stage) => toldOfSend(stage, 'message.sent'),
  'message.delivered': (stage) => toldOfSend(stage, 'message.delivered'),
  'message.read': (stage) => toldOfSend(stage, 'message.read'),
  'message.failed': (stage) => toldOfSend(stage, 'message.failed', '131026'),
  'message.reaction': (stage) =>
    toldOfAct(stage, 'message.reaction', (wamid) => ({ type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } })),
  'message.edited': (stage) =>
    toldOfAct(stage, 'message.edited', (wamid) => ({
      type: 'edit',
      edit: { original_message_id: wamid, message: { type: 'text', text: { body: 'Oi! Vocês entregam amanhã?' } } },
    })),
  'message.deleted': (stage) =>
    toldOfAct(stage, 'message.deleted', (wamid) => ({ type: 'revoke', revoke: { original_message_id: wamid } })),
  'template.status_updated': (stage) =>
    toldOfTemplate(stage, 'template.status_updated', 'message_template_status_update', {
      event: 'REJECTED',
      reason: 'INVALID_FORMAT',
      message_template_category: 'MARKETING',
    }),
  'template.category_updated': (stage) =>
    toldOfTemplate(stage, 'template.category_updated', 'template_category_update', {
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
    }),
  'template.quality_updated': (stage) =>
    toldOfTemplate(stage, 'template.quality_updated', 'message_template_quality_update', {
      previous_quality_score: 'GREEN',
      new_quality_score: 'YELLOW',
    }),
  'template.components_updated': (stage) =>
    toldOfTemplate(stage, 'template.components_updated', 'message_template_components_update', {
      message_template_element: 'Olá, {{1}}! O pedido {{2}} saiu para entrega.',
      message_template_footer: 'Loja de Teste',
    }),
  'channel.updated': (stage) =>
    toldOf(stage, 'channel.updated', 'phone_number_quality_update', {
      display_phone_number: stage.account.channel.displayDigits,
      event: 'THROUGHPUT_UPGRADE',
      max_daily_conversations_per_business: 'TIER_UNLIMITED',
    }),
  async 'contact.marketing_preference_updated'(stage) {
    const wish = { detail: 'User requested to stop marketing messages', category: 'marketing_messages', value: 'stop' }
    const person = stage.gateway.newPerson()
    return toldOf(stage, 'contact.marketing_preference_updated', 'user_preferences', {
      ...ofNumber(stage, person),
      user_preferences: [{ wa_id: person, ...wish, timestamp: now() }],
    })
  },
}

const now = () => Math.floor(Date.now() / 1_000)

const ofNumber = ({ account: { channel } }: Stage, person: string) => ({
  messaging_product: 'whatsapp',
  metadata: { display_phone_number: channel.displayDigits, phone_number_id: channel.phoneNumberId },
  contacts: [{ profile: { name: 'Maria Silva' }, wa_id: person }],
})

/** The platform posts one change of the account's WABA, and the event of it comes. */
async function toldOf({ gateway, account, events }: Stage, kind: string, field: string, value: object): Promise<ReceivedEvent> {
  const entry = { id: account.channel.wabaId, time: now(), changes: [{ field, value }] }
  await gateway.simulator.postNotice({ object: 'whatsapp_business_account', entry: [entry] })
  return events.until((event) => event.type === kind)
}

const toldOfTemplate = (stage: Stage, kind: string, field: string, more: object) => {
  const [id, name, language] = [1_500_000_000_000_011, 'pedido_enviado', 'pt_BR']
  const template = { message_template_id: id, message_template_name: name, message_template_language: language }
  return toldOf(stage, kind, field, { ...template, ...more })
}

/** A person writes, and then does something to what they wrote. */
async function toldOfAct(stage: Stage, kind: string, act: (wamid: string) => object): Promise<ReceivedEvent> {
  const person = stage.gateway.newPerson()
  const wamid = await stage.gateway.letWrite(stage.account, person, { name: 'Maria Silva', text: 'Oi! Vocês entregam hoje?' })
  const item = { from: person, id: `${wamid.slice(0, -1)}A=`, timestamp: String(now()), ...act(wamid) }
  return toldOf(stage, kind, 'messages', { ...ofNumber(stage, person), messages: [item] })
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
  const sections: string[] = []
  for (const kind of kinds) sections.push(await sectionOf(stage, kind, webhooks[kind]))
  return `${heading(sections.length)}\n${sections.join('\n')}`
}

async function sectionOf(stage: Stage, kind: string, { post }: Document): Promise<string> {
  const event = await present(stories[kind], `${kind} has a story`)(stage)
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

const heading = (told: number) => `# Events

What happens is told to every webhook of the account that asked for its kind, as a POST of JSON: ${told} kinds. Only a 2xx within 10 seconds is a
receipt; else the same bytes come again after 1 minute, 5 minutes, 25 minutes, 2 hours and 10 hours. An event has one \`id\` in all its attempts:
discard what comes twice. Order is not promised: go by \`sent_at\`, \`delivered_at\` and \`read_at\`.

An answer that is not quite HTTP is no receipt, and the event comes again: \`Content-Length\` beside \`Transfer-Encoding: chunked\`, or bare line feeds, are
told as \`protocol\` in the history of deliveries. A kept connection may be closed at any time: what was being posted on it comes again at once on a fresh
one, so that the same \`id\` can come twice within a second. \`file_name\` is cleaned of folders and quotes; what the person's app sent is in \`meta\`, and is
no path to write to.

\`v1\` in \`Service-Signature\` is the HMAC-SHA256 of \`<t>.<body>\` over the exact bytes, with the webhook's secret as its key; \`t\` is in seconds, and a receiver
refuses what is more than 300 seconds off. While a previous secret still counts there is one more \`v1\`.

Each example below was told by a gateway; ids, times and signatures are replaced. Written by \`npm run docs\` from running stories, and compared by a
test: change \`server/test/documents/events.ts\`, not this file.
`
