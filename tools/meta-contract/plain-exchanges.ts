import type { NumberOptions, Simulator } from '../../simulator/src/simulator.ts'
import type { Recorder } from './recorder.ts'
import { everyKind } from './sends.ts'

type Call = (label: string, method: string, path: string, body?: object | FormData, token?: string) => Promise<Answer>
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type Answer = { status: number; json: any }

/** A template as a business submits it. */
const template = {
  name: 'parcel_update',
  language: 'en_US',
  category: 'UTILITY',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Your parcel' },
    { type: 'BODY', text: 'Parcel {{1}} is on its way.', example: { body_text: [['4711']] } },
    { type: 'FOOTER', text: 'Verde Viva' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'OK' }, { type: 'URL', text: 'Track', url: 'https://example.com/track' }] }, // biome-ignore format: one line reads best
  ],
}

/** The calls that are known to be right, one after another: what a business sends, what the platform answers, errors among them. */
export async function playPlainCalls(recorder: Recorder, simulator: Simulator, number: NumberOptions): Promise<void> {
  const call: Call = async (label, method, path, body, token = number.token) => {
    recorder.label = label
    const json = body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${recorder.url}/v23.0${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'meta-contract', ...json },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, json: text.startsWith('{') ? JSON.parse(text) : null }
  }
  const mediaId = await playMedia(call, number)
  await playSends(call, simulator, number, mediaId)
  await playNumbers(call, number)
  await playTemplates(call, number)
  await call('delete a file', 'DELETE', `/${mediaId}`)
}

async function playMedia(call: Call, { phoneNumberId }: NumberOptions): Promise<string> {
  const form = (type: string, name: string) => {
    const made = new FormData()
    made.set('messaging_product', 'whatsapp')
    made.set('type', type)
    made.set('file', new Blob(['some bytes'], { type }), name)
    return made
  }
  const { id } = (await call('upload', 'POST', `/${phoneNumberId}/media`, form('image/png', 'a.png'))).json
  await call('upload of a wrong type', 'POST', `/${phoneNumberId}/media`, form('image/gif', 'a.gif'))
  await call('look-up', 'GET', `/${id}?phone_number_id=${phoneNumberId}`)
  return id
}

async function playSends(call: Call, simulator: Simulator, { phoneNumberId }: NumberOptions, mediaId: string): Promise<void> {
  const path = `/${phoneNumberId}/messages`
  const common = { messaging_product: 'whatsapp', recipient_type: 'individual', to: '+15550107712' }
  for (const { name, content } of everyKind(mediaId)) await call(`send ${name}`, 'POST', path, { ...common, ...content })
  const { wamid } = await simulator.inbound({ from: '15550107712', text: 'Hi' })
  await call('send reaction', 'POST', path, { ...common, type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } })
  await call('send a quotation', 'POST', path, { ...common, type: 'text', text: { body: 'Hi' }, context: { message_id: wamid } })
  await call('send with callback data', 'POST', path, { ...common, type: 'text', text: { body: 'Hi' }, biz_opaque_callback_data: 'a.1' })
  const { userId } = { userId: 'US.721770105551' }
  await call('send to a user id', 'POST', path, {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    recipient: userId,
    type: 'text',
    text: { body: 'Hi' },
  })
  const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: wamid }
  await call('mark as read', 'POST', path, receipt)
  await call('mark as read and type', 'POST', path, { ...receipt, typing_indicator: { type: 'text' } })
  await call('send nothing', 'POST', path, { ...common, type: 'text' })
  await call('send with a dead token', 'POST', path, { ...common, type: 'text', text: { body: 'Hi' } }, 'nobody')
  await call('send an unknown template', 'POST', path, {
    ...common,
    type: 'template',
    template: { name: 'nothing', language: { code: 'en_US' } },
  })
}

const numberFields =
  'display_phone_number,verified_name,name_status,quality_rating,throughput,whatsapp_business_manager_messaging_limit,messaging_limit_tier,status,account_mode,platform_type,is_official_business_account,is_on_biz_app,is_pin_enabled,code_verification_status,webhook_configuration,health_status'
const wabaFields =
  'name,currency,timezone_id,message_template_namespace,country,primary_business_location,account_review_status,business_verification_status,ownership_type,health_status'

async function playNumbers(call: Call, { phoneNumberId, wabaId }: NumberOptions): Promise<void> {
  await call('read a number', 'GET', `/${phoneNumberId}`)
  await call('read a number whole', 'GET', `/${phoneNumberId}?fields=${numberFields}`)
  await call('read an unknown number', 'GET', '/1')
  await call('list numbers', 'GET', `/${wabaId}/phone_numbers?limit=1&fields=${numberFields}`)
  await call('read a WABA', 'GET', `/${wabaId}`)
  await call('read a WABA whole', 'GET', `/${wabaId}?fields=${wabaFields}`)
  await call('deregister', 'POST', `/${phoneNumberId}/deregister`, { messaging_product: 'whatsapp' })
  await call('register', 'POST', `/${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin: '123456' })
  await call('register with another pin', 'POST', `/${phoneNumberId}/register`, { messaging_product: 'whatsapp', pin: '654321' })
  await call('subscribe', 'POST', `/${wabaId}/subscribed_apps`)
  await call('list subscriptions', 'GET', `/${wabaId}/subscribed_apps`)
  await call('unsubscribe', 'DELETE', `/${wabaId}/subscribed_apps`)
  await call('subscribe', 'POST', `/${wabaId}/subscribed_apps`)
}

async function playTemplates(call: Call, { wabaId }: NumberOptions): Promise<void> {
  const path = `/${wabaId}/message_templates`
  const { id } = (await call('create a template', 'POST', path, template)).json ?? {}
  await call('create a template twice', 'POST', path, template)
  await call('create a template without a body', 'POST', path, { ...template, name: 'empty', components: [] })
  await call('list templates', 'GET', path)
  const fields = 'id,name,language,status,category,sub_category,parameter_format,quality_score,rejected_reason,components'
  await call('list templates whole', 'GET', `${path}?limit=2&fields=${fields}`)
  if (typeof id === 'string') {
    await call('read a template', 'GET', `/${id}`)
    await call('change a template', 'POST', `/${id}`, { category: 'UTILITY', components: template.components })
  }
  await call('delete a template', 'DELETE', `${path}?name=parcel_update`)
  await call('delete a template twice', 'DELETE', `${path}?name=parcel_update`)
}
