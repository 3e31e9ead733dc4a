import type { Page } from 'playwright-core'
import { runSql } from './database.ts'
import type { Gateway } from './gateway.ts'

/** What people call themselves and their things when nobody stops them: 135 letters in words, in one word, from right to left. */
const long =
  'Maria Aparecida dos Santos Oliveira da Conceição e Silva de Albuquerque Cavalcanti Figueiredo de Vasconcelos Montenegro Sobrinha Neta 12345'
const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2).slice(0, 135)
const arabic = 'محمد عبد الرحمن بن عبد الله آل سعود الهاشمي القرشي (ABC) '.repeat(3).slice(0, 135)

const extremeNames = [long, unbroken, arabic] as const

type Place = { page: Page; account: string }

/** A gateway full of what makes pages too wide: long names everywhere, and so many conversations that counts have all their digits. */
export async function fillWithExtremes(gateway: Gateway, { page, account, people }: Place & { people: number }) {
  await longConversations(gateway)
  const conversations = await theirConversations({ page, account })
  await manyPeople(gateway, people)
  const webhook = await longSettings(gateway, { page, account })
  for (const id of conversations) {
    const labels = [unbroken.slice(0, 40), long.slice(0, 40), 'VIP']
    await callConsole({ page, account }, 'PATCH', `conversations/${id}`, { labels })
    await callConsole({ page, account }, 'POST', `conversations/${id}/notes`, { text: `${unbroken}\n${arabic}` })
  }
  // So that they are on top of all lists.
  for (const [i, name] of extremeNames.entries()) await gateway.letWrite({ from: phoneOf(i), name, text: `${name}!` })
  const { data } = (await gateway.call('GET', '/messages?limit=5')) as { data: { id: string }[] }
  const { data: channels } = (await gateway.call('GET', '/channels')) as { data: { id: string }[] }
  return { conversations, webhook, message: data.at(-1)?.id ?? '', channel: channels[0]?.id ?? '' }
}

const phoneOf = (i: number) => `551197000000${i}`

/** People with long names, who write and are answered. */
async function longConversations(gateway: Gateway): Promise<void> {
  for (const [i, name] of extremeNames.entries()) {
    await gateway.letWrite({ from: phoneOf(i), name, text: `${name}\n- ${name}` })
    const text = { body: `${unbroken} https://loja.example/${unbroken}` }
    await sendOnceOpen(gateway, { to: phoneOf(i), type: 'text', text, client_reference: unbroken })
  }
  const pdf = Buffer.from('%PDF-1.4\n%').toString('base64')
  const content = { type: 'document', bytes: pdf, mime_type: 'application/pdf', filename: `${unbroken}.pdf` }
  await gateway.letWrite({ from: phoneOf(0), content })
  await gateway.call('POST', '/marketing-opt-outs', { phone: phoneOf(1) })
  const template = { name: 'hello_world', language: { code: 'en_US' } }
  await gateway.call('POST', '/messages', { to: '5511900131026', type: 'template', template })
}

/** Keys, people, webhooks and answers with long names; answers the id of the webhook. */
async function longSettings(gateway: Gateway, place: Place): Promise<string> {
  await runSql(gateway, 'update channel set display_name = $1', [long])
  await gateway.letIn({ email: 'nome.longo@example.com', name: long.slice(0, 100), role: 'viewer' })
  const post = (path: string, body: object) => callConsole(place, 'POST', path, body)
  await post('api-keys', { name: long.slice(0, 60), livemode: true, scopes: null })
  await post('canned-answers', { shortcut: unbroken.slice(0, 30), text: `${long} ${unbroken}` })
  await post('invitations', { email: `${unbroken.slice(0, 60)}@example.com`, role: 'agent' })
  const webhook = { url: `http://127.0.0.1:9/${unbroken}`, events: ['*'], description: long }
  const { id } = (await gateway.call('POST', '/webhooks', webhook)) as { id: string }
  await gateway.call('POST', `/webhooks/${id}/test`)
  return id
}

type Listed = { data: { id: string; contact: { phone: string } }[] }

/** The conversations of the long names, once the gateway has worked through what they wrote. */
async function theirConversations(place: Place): Promise<string[]> {
  for (const deadline = performance.now() + openMsMax; ; ) {
    const { data } = (await callConsole(place, 'GET', 'conversations?limit=20')) as Listed
    const theirs = extremeNames.flatMap((_, i) => data.filter(({ contact }) => contact.phone === phoneOf(i)))
    if (theirs.length === extremeNames.length) return theirs.map(({ id }) => id)
    if (performance.now() > deadline) throw new Error('what was written is not there')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const openMsMax = 40_000

/** Sends once the gateway has worked through what the person wrote, which opens the window. */
async function sendOnceOpen(gateway: Gateway, body: object): Promise<void> {
  for (const deadline = performance.now() + openMsMax; ; ) {
    try {
      await gateway.call('POST', '/messages', body)
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

const perNotice = 400

/** So many people have written once. */
async function manyPeople(gateway: Gateway, count: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  for (let from = 0; from < count; from += perNotice) {
    const all = Array.from({ length: Math.min(perNotice, count - from) }, (_, i) => String(5521900000000 + from + i))
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '551140028922', phone_number_id: '118350927764405' },
      contacts: all.map((phone) => ({ profile: { name: `Pessoa ${phone.slice(-4)}` }, wa_id: phone })),
      messages: all.map((phone) => ({
        from: phone,
        id: `wamid.MANY${phone}`,
        timestamp: String(now - 60),
        type: 'text',
        text: { body: 'Oi, tudo bem?' },
      })),
    }
    const notice = { object: 'whatsapp_business_account', entry: [{ id: '204817396550128', changes: [{ field: 'messages', value }] }] }
    await gateway.postNotices(JSON.stringify(notice))
  }
}

/** Calls the console's own interface as who is signed in. */
async function callConsole({ page, account }: Place, method: string, path: string, body?: object): Promise<unknown> {
  const asked = { url: `/console/api/accounts/${account}/${path}`, method, body: body === undefined ? null : JSON.stringify(body) }
  return page.evaluate(async ({ url, method, body }) => {
    const answer = await fetch(url, { method, body, headers: body === null ? {} : { 'content-type': 'application/json' } })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text.slice(0, 300)}`)
    return text === '' ? null : JSON.parse(text)
  }, asked)
}
