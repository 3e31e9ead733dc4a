import { REFUSALS, type RefusalCode } from '../../src/base/refusal.ts'
import { resumeAccount, suspendAccount } from '../../src/features/accounts/public.ts'
import { done, type TestAccount } from '../support/accounts.ts'
import type { Answer, CallOptions, Method } from '../support/caller.ts'
import type { Document } from '../support/contract.ts'
import type { TestGateway } from '../support/gateway.ts'
import { newTemplate } from '../support/templates.ts'
import { nobodys, textTo } from '../support/texts.ts'
import { stable } from './stable.ts'

/** What the stories of errors are told with. */
export type Stage = {
  gateway: TestGateway
  account: TestAccount
  /** A person who wrote a moment ago. */
  person: string
  /** Does the work while the gateway cannot reach its database. */
  whileAway: <Value>(work: () => Promise<Value>) => Promise<Value>
}

type Asked = { method: Method; path: string; options: CallOptions }
type Story = { when: string; todo: string; ask: (stage: Stage) => Promise<{ asked: Asked; answer: Answer }> }

/** Calls, and remembers what was asked. */
async function ask(gateway: TestGateway, method: Method, path: string, options: CallOptions) {
  return { asked: { method, path, options }, answer: await gateway.call(method, path, options) }
}

const send = ({ gateway, account }: Stage, body: unknown, options: CallOptions = {}) =>
  ask(gateway, 'POST', '/v1/messages', { key: account.live, body, ...options })

/** More uploads than a key may make in a minute. */
const uploadsMax = 31

/** One real example for each code. In the order of the document. */
const stories: Readonly<Record<RefusalCode, Story>> = {
  invalid_request: {
    when: 'The body or the parameters are not valid: not JSON, larger than 256 KB, an unknown field, a wrong type, a limit that is passed.',
    todo: 'Correct what `details` names. `field` is a JSON path such as `text.body` or `contacts[2].name`. Repeating the same call helps nothing.',
    ask: (stage) => send(stage, { to: '11 98765', type: 'text', text: { body: 'Olá!' } }),
  },
  unauthorized: {
    when: 'The key is missing, malformed, unknown or revoked; which of them it is, is not told.',
    todo: 'Send `Authorization: Bearer <API_KEY>`. A key that was lost or revoked is replaced by a new one.',
    ask: ({ gateway }) => ask(gateway, 'GET', '/v1/channels', {}),
  },
  account_suspended: {
    when: 'The account is suspended. Only sends are refused, with test keys too; reading goes on, and what was queued waits.',
    todo: 'Settle the account, then send again: the same `Idempotency-Key` may be used.',
    async ask(stage) {
      done(await suspendAccount(stage.gateway.deps, stage.account.uuid))
      const told = await send(stage, textTo(stage.person))
      done(await resumeAccount(stage.gateway.deps, stage.account.uuid))
      return told
    },
  },
  forbidden: {
    when: 'The key may not do this: a test key on an operation for live keys, or a key without the scope, which is named.',
    todo: 'Use a key that has the scope.',
    ask: ({ gateway, account }) => ask(gateway, 'GET', '/v1/webhooks', { key: account.test }),
  },
  not_found: {
    when: 'What is asked for does not exist in this account and mode, or there is no such path or method.',
    todo: 'Check the id. What a test key made, only test keys see; what another account has, nobody else sees.',
    ask: ({ gateway, account }) => ask(gateway, 'GET', `/v1/messages/${nobodys('msg')}`, { key: account.live }),
  },
  conflict: {
    when: 'It does not go together with the state of the resource: an eleventh webhook, a retry that is under way, a webhook that is disabled, a reaction to a message that is still queued.',
    todo: 'Change the state that the message speaks of, or wait until it has changed, and call again.',
    async ask({ gateway, account }) {
      const body = { url: 'https://erp.padariaestrela.com.br/eventos', events: ['message.received'] }
      const { id } = (await gateway.call('POST', '/v1/webhooks', { key: account.live, body })).body
      await gateway.call('PATCH', `/v1/webhooks/${id}`, { key: account.live, body: { enabled: false } })
      return ask(gateway, 'POST', `/v1/webhooks/${id}/test`, { key: account.live })
    },
  },
  idempotency_conflict: {
    when: 'The `Idempotency-Key` was used within 24 hours with another body. Two bodies are the same when they are equal as JSON.',
    todo: 'Take a new key for a new message. To learn what became of the first, repeat it with its own body.',
    async ask(stage) {
      const headers = { 'idempotency-key': 'pedido-4711' }
      await send(stage, textTo(stage.person, 'O pedido 4711 saiu.'), { headers })
      return send(stage, textTo(stage.person, 'O pedido 4711 chegou.'), { headers })
    },
  },
  channel_not_connected: {
    when: 'The number is not connected to the official API now, or the account has no number at all.',
    todo: 'Connect the number. `GET /channels` shows the state of each.',
    async ask(stage) {
      return send({ ...stage, account: await stage.gateway.account({ channels: 0 }) }, textTo(stage.person))
    },
  },
  channel_ambiguous: {
    when: 'The account has more than one number (for templates: numbers of more than one WhatsApp Business Account) and the call names none.',
    todo: 'Add `channel_id`. `GET /channels` lists the numbers.',
    async ask(stage) {
      return send({ ...stage, account: await stage.gateway.account({ channels: 2 }) }, textTo(stage.person))
    },
  },
  outside_customer_service_window: {
    when: 'More than 24 hours have passed since the person last wrote to this number, or they never did, and the message is no template.',
    todo: 'Send an approved template, or wait until the person writes.',
    ask: (stage) => send(stage, textTo(stage.gateway.newPerson())),
  },
  recipient_opted_out: {
    when: 'The person does not want marketing, and the template is of the category MARKETING. Utility and authentication templates still leave.',
    todo: 'Do not send it. The mark goes when the person resumes marketing, or by `DELETE /marketing-opt-outs/{phone}` when they ask for it.',
    async ask(stage) {
      const { gateway, account, person } = stage
      const template = { name: 'oferta_da_semana', language: 'pt_BR' }
      gateway.simulator.addTemplate(account.channel.wabaId, { ...template, category: 'MARKETING' })
      await gateway.call('POST', '/v1/marketing-opt-outs', { key: account.live, body: { phone: person } })
      return send(stage, { to: person, type: 'template', template })
    },
  },
  rate_limited: {
    when: 'More than 600 calls of a key or 1,200 of an account in a minute; more than 30 uploads of a key in a minute, or 1 GB of new files in a day; more than 60 retries of a webhook in a minute; too many wrong keys from one address.',
    todo: 'Wait for as many seconds as `Retry-After` says. `RateLimit-Remaining` tells before.',
    async ask({ gateway, account }) {
      for (let i = 1; i < uploadsMax; i += 1) await gateway.call('POST', '/v1/media', { key: account.live })
      return ask(gateway, 'POST', '/v1/media', { key: account.live })
    },
  },
  meta_error: {
    when: 'The upstream platform refused the operation, or did not answer. Sends are not told so: a message that it refuses becomes `failed`.',
    todo: '`details` has its code and words. When it did not answer, the same call may be repeated.',
    async ask({ gateway, account }) {
      const body = newTemplate('pedido_enviado')
      await gateway.call('POST', '/v1/templates', { key: account.live, body })
      return ask(gateway, 'POST', '/v1/templates', { key: account.live, body })
    },
  },
  internal_error: {
    when: 'A fault on our side, or something that we need is away for the moment.',
    todo: 'Repeat the call after a moment. A send with an `Idempotency-Key` is never doubled by that. When you ask for help, name the `request_id`.',
    ask: (stage) => stage.whileAway(() => send(stage, textTo(stage.person), { headers: { 'idempotency-key': 'pedido-4712' } })),
  },
}

/** `docs/errors.md`, from answers that the gateway gives now. Throws when a story leads to another error than it should. */
export async function errorsDocument(stage: Stage): Promise<string> {
  const sections: string[] = []
  for (const code of Object.keys(stories) as RefusalCode[]) sections.push(await sectionOf(stage, code))
  return `${heading}\n${sections.join('\n')}`
}

async function sectionOf(stage: Stage, code: RefusalCode): Promise<string> {
  const { when, todo, ask } = stories[code]
  const { asked, answer } = await ask(stage)
  if (answer.body?.error?.code !== code) throw new Error(`the example of ${code} was answered ${answer.status} ${answer.text}`)
  const operations = operationsWith(stage.gateway.contract.document, code)
  return [
    `## ${code}`,
    '',
    `HTTP ${REFUSALS[code]}. ${when}`,
    '',
    `What to do: ${todo}`,
    '',
    `Answered by: ${operations}.`,
    '',
    '```http',
    callText(asked),
    '```',
    '',
    '```json',
    stable(answer.body),
    '```',
    '',
  ].join('\n')
}

function operationsWith(document: Document, code: string): string {
  const all: string[] = []
  const having: string[] = []
  for (const [path, methods] of Object.entries<Document>(document.paths)) {
    for (const [method, { responses }] of Object.entries<Document>(methods)) {
      const name = `\`${method.toUpperCase()} ${path}\``
      all.push(name)
      const answers = Object.values<Document>(responses).flatMap(({ content }) =>
        Object.keys(content?.['application/json']?.examples ?? {}),
      )
      if (answers.includes(code)) having.push(name)
    }
  }
  return having.length === all.length ? 'every operation' : having.join(', ')
}

/** The call as it was sent, without the key. */
function callText({ method, path, options }: Asked): string {
  const key = options.key === undefined ? [] : ['Authorization: Bearer <API_KEY>']
  const headers = Object.entries(options.headers ?? {}).map(([name, value]) => `${nameOfHeader(name)}: ${value}`)
  const body = options.body === undefined ? [] : ['Content-Type: application/json', '', stable(options.body)]
  const shownPath = JSON.parse(stable(path)) as string
  return [`${method} ${shownPath}`, ...key, ...headers, ...body].join('\n')
}

const nameOfHeader = (name: string) =>
  name.replaceAll(/(^|-)([a-z])/g, (_whole, dash: string, letter: string) => `${dash}${letter.toUpperCase()}`)

const heading = `# Errors

Every error has the same form, and its \`code\` is one of this list. \`message\` is for people and may change; decide by \`code\`. Each example below was
answered by a gateway; ids and times are replaced. Written by \`npm run docs\` from running stories, and compared by a test: change
\`server/test/documents/errors.ts\`, not this file.

A message can also fail after it was accepted: then the event \`message.failed\` tells so, and \`error\` of the message has the platform's code
and words. See [events](events.md).
`
