import { checkSource } from './check-media.ts'
import type { GraphError } from './graph-error.ts'
import { graphError } from './graph-error.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'

/** The refusal of an interactive message, or null. Lengths and counts are checked for buttons, lists and links; the other kinds by presence. */
export function checkInteractive(interactive: JsonObject): GraphError | null {
  const type = interactive.type
  if (!isFilled(type)) return missing('interactive.type')
  const check = CHECKS.get(type)
  if (check === undefined) return invalid(`interactive.type ${type} is not known`)
  const action = interactive.action
  if (!isObject(action)) return missing('interactive.action')
  return checkFrame(type, interactive) ?? check(action)
}

const FOOTER_CHARACTERS_MAX = 60
const HEADER_CHARACTERS_MAX = 60
const BODY_CHARACTERS_MAX = 1024
const LIST_BODY_CHARACTERS_MAX = 4096
const BODILESS: readonly string[] = ['product']
/** What has neither a header nor a footer. */
const BODY_ONLY: readonly string[] = ['location_request_message', 'carousel', 'call_permission_request', 'request_contact_info']
const TEXT_HEADED: readonly string[] = ['list', 'product_list']
const MEDIA_HEADERS: readonly string[] = ['image', 'video', 'document']

function checkFrame(type: string, interactive: JsonObject): GraphError | null {
  const { body, footer } = interactive
  const bodyText = isObject(body) ? body.text : undefined
  if (!BODILESS.includes(type) && !isFilled(bodyText)) return missing('interactive.body.text')
  const charactersMax = type === 'list' ? LIST_BODY_CHARACTERS_MAX : BODY_CHARACTERS_MAX
  if (bodyText !== undefined && !within(bodyText, charactersMax)) return invalid('interactive.body.text is too long')
  if (footer !== undefined && BODY_ONLY.includes(type)) return invalid(`interactive.footer is not allowed with ${type}`)
  if (footer !== undefined && !(isObject(footer) && within(footer.text, FOOTER_CHARACTERS_MAX)))
    return invalid('interactive.footer.text is not valid')
  return checkHeader(type, interactive.header)
}

function checkHeader(type: string, header: unknown): GraphError | null {
  if (header === undefined) return type === 'product_list' ? missing('interactive.header') : null
  if (!isObject(header) || !isFilled(header.type)) return missing('interactive.header.type')
  if (type === 'product' || BODY_ONLY.includes(type)) return invalid(`interactive.header is not allowed with ${type}`)
  if (header.type === 'text') return within(header.text, HEADER_CHARACTERS_MAX) ? null : invalid('interactive.header.text is not valid')
  if (TEXT_HEADED.includes(type)) return invalid(`interactive.header of ${type} must be a text`)
  return checkMediaHeader('interactive.header', header)
}

function checkMediaHeader(where: string, header: JsonObject): GraphError | null {
  const kind = String(header.type)
  if (!MEDIA_HEADERS.includes(kind)) return invalid(`${where}.type ${kind} is not known`)
  const media = header[kind]
  return isObject(media) ? checkSource(`${where}.${kind}`, media) : missing(`${where}.${kind}`)
}

const CHECKS: ReadonlyMap<string, (action: JsonObject) => GraphError | null> = new Map([
  ['button', checkButtons],
  ['list', checkList],
  ['cta_url', checkLinkButton],
  ['location_request_message', (action) => checkName(action, 'send_location')],
  ['flow', checkFlow],
  ['product', (action) => checkFilled(action, ['catalog_id', 'product_retailer_id'])],
  ['product_list', checkProducts],
  ['catalog_message', (action) => checkName(action, 'catalog_message')],
  ['address_message', (action) => checkName(action, 'address_message') ?? checkParameters(action)],
  ['carousel', checkCarousel],
  ['order_details', (action) => checkName(action, 'review_and_pay') ?? checkParameters(action)],
  ['order_status', (action) => checkName(action, 'review_order') ?? checkParameters(action)],
  ['call_permission_request', (action) => checkName(action, 'call_permission_request')],
  ['request_contact_info', (action) => checkName(action, 'request_contact_info')],
])

function checkButtons(action: JsonObject): GraphError | null {
  const listed = checkFilledList(action, 'buttons', 3)
  if (listed !== null) return listed
  const buttons = objectsIn(action.buttons)
  if (!buttons.every((button) => button.type === 'reply')) return invalid('interactive.action.buttons.type must be reply')
  const replies = buttons.map((button) => (isObject(button.reply) ? button.reply : {}))
  const good = replies.every((reply) => within(reply.id, 256) && within(reply.title, 20))
  if (!good) return invalid('Button reply id or title has an invalid length. Min length: 1, max length: id 256, title 20')
  const unique = distinct(replies, 'id') && distinct(replies, 'title')
  return unique ? null : invalid('Button reply ids and titles must be unique')
}

function checkList(action: JsonObject): GraphError | null {
  if (!within(action.button, 20)) return invalid('interactive.action.button has an invalid length. Min length: 1, max length: 20')
  const listed = checkFilledList(action, 'sections', 10)
  if (listed !== null) return listed
  const sections = objectsIn(action.sections)
  if (sections.length > 1 && !sections.every((section) => within(section.title, 24)))
    return invalid('Section title is required, max length: 24')
  const rows = sections.flatMap((section) => objectsIn(section.rows))
  if (rows.length < 1 || rows.length > 10) return invalid('Total row count is invalid. Min: 1, max: 10')
  const good = rows.every((row) => within(row.id, 200) && within(row.title, 24) && (row.description ?? '').toString().length <= 72)
  if (!good) return invalid('Row id, title or description has an invalid length. Max length: 200, 24, 72')
  return distinct(rows, 'id') ? null : invalid('Row ids must be unique')
}

function checkLinkButton(action: JsonObject): GraphError | null {
  const parameters = isObject(action.parameters) ? action.parameters : {}
  if (!within(parameters.display_text, 20)) return invalid('display_text has an invalid length. Min length: 1, max length: 20')
  if (!/^https?:\/\/\S+$/i.test(String(parameters.url))) return invalid('url is not a valid URI')
  return checkName(action, 'cta_url')
}

function checkFlow(action: JsonObject): GraphError | null {
  const parameters = isObject(action.parameters) ? action.parameters : {}
  if (!isFilled(parameters.flow_id) && !isFilled(parameters.flow_name)) return missing('flow_id or flow_name')
  if (!within(parameters.flow_cta, 30) || /\p{Extended_Pictographic}/u.test(String(parameters.flow_cta)))
    return invalid('flow_cta has an invalid length or holds an emoji. Min length: 1, max length: 30')
  const { flow_action: does = 'navigate', mode = 'published' } = parameters
  if (does !== 'navigate' && does !== 'data_exchange') return invalid('flow_action must be navigate or data_exchange')
  if (mode !== 'published' && mode !== 'draft') return invalid('mode must be draft or published')
  return checkName(action, 'flow')
}

const PRODUCTS_MAX = 30

function checkProducts(action: JsonObject): GraphError | null {
  const listed = checkFilled(action, ['catalog_id']) ?? checkFilledList(action, 'sections', 10)
  if (listed !== null) return listed
  const sections = objectsIn(action.sections)
  if (sections.length > 1 && !sections.every((section) => within(section.title, 24)))
    return invalid('Section title is required, max length: 24')
  const items = sections.flatMap((section) => objectsIn(section.product_items))
  if (items.length < 1 || items.length > PRODUCTS_MAX) return invalid(`Total product count is invalid. Min: 1, max: ${PRODUCTS_MAX}`)
  return items.every((item) => isFilled(item.product_retailer_id)) ? null : missing('product_items.product_retailer_id')
}

const CARD_BODY_CHARACTERS_MAX = 160

function checkCarousel(action: JsonObject): GraphError | null {
  const cards = objectsIn(action.cards)
  if (cards.length < 2 || cards.length > 10) return invalid('A carousel holds 2 to 10 cards')
  for (const card of cards) {
    const refusal = checkCard(card)
    if (refusal !== null) return refusal
  }
  return null
}

function checkCard(card: JsonObject): GraphError | null {
  const { action, body, header } = card
  if (!isObject(action)) return missing('interactive.action.cards.action')
  if (body !== undefined && !(isObject(body) && within(body.text, CARD_BODY_CHARACTERS_MAX)))
    return invalid(`interactive.action.cards.body.text has an invalid length. Max length: ${CARD_BODY_CHARACTERS_MAX}`)
  if (card.type === 'product') return checkFilled(action, ['catalog_id', 'product_retailer_id'])
  if (!isObject(header)) return missing('interactive.action.cards.header')
  const headed = checkMediaHeader('interactive.action.cards.header', header)
  if (headed !== null) return headed
  return action.buttons === undefined ? checkLinkButton(action) : checkFilledList(action, 'buttons', 3)
}

function checkParameters(action: JsonObject): GraphError | null {
  return isObject(action.parameters) ? null : missing('interactive.action.parameters')
}

function checkName(action: JsonObject, name: string): GraphError | null {
  return action.name === name ? null : invalid(`interactive.action.name must be ${name}`)
}

function checkFilled(action: JsonObject, names: readonly string[]): GraphError | null {
  const absent = names.find((name) => !isFilled(action[name]))
  return absent === undefined ? null : missing(`interactive.action.${absent}`)
}

function checkFilledList(action: JsonObject, name: string, max: number): GraphError | null {
  const list = action[name]
  if (!Array.isArray(list) || list.length === 0) return missing(`interactive.action.${name}`)
  if (list.length > max) return invalid(`interactive.action.${name} holds more than ${max}`)
  return list.every(isObject) ? null : invalid(`interactive.action.${name} must hold objects`)
}

function objectsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}

function distinct(objects: readonly JsonObject[], key: string): boolean {
  return new Set(objects.map((each) => each[key])).size === objects.length
}

function within(value: unknown, charactersMax: number): boolean {
  return isFilled(value) && value.length <= charactersMax
}

function missing(what: string): GraphError {
  return graphError(131008, `${what} is required`)
}

function invalid(why: string): GraphError {
  return graphError(131009, why)
}
