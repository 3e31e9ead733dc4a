import { checkKind } from './check-kinds.ts'
import { templateSendRefusal } from './check-template-send.ts'
import type { GraphError } from './graph-error.ts'
import { graphError, parameterError } from './graph-error.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'
import type { Template, TemplateLookup } from './templates.ts'

/** Whom a send is for: dialled digits, or a user id. */
type Address = { digits: string } | { userId: string }

/** A send that the platform would take. `input` is the recipient exactly as it was written; `template` is null for every other kind. */
export type CheckedSend = { kind: string; input: string; address: Address; opaque: string | null; template: Template | null }

/** Says what a body asks for, or how the platform refuses it. */
export function checkSend(body: JsonObject, templates: TemplateLookup): CheckedSend | GraphError {
  const kind = kindOf(body)
  const refusal = commonRefusal(body) ?? checkKind(kind, body)
  if (refusal !== null) return refusal
  const recipient = recipientOf(body)
  if ('code' in recipient) return recipient
  const template = kind === 'template' ? templateOf(body, templates) : null
  if (template !== null && 'code' in template) return template
  if (template?.category === 'AUTHENTICATION' && 'userId' in recipient.address) return graphError(131062)
  return { kind, ...recipient, opaque: opaqueOf(body), template }
}

/** The kind that a body names. A body that names none is a text; one that is not an object has none. */
export function kindOf(body: unknown): string {
  if (!isObject(body)) return 'none'
  if (body.status === 'read') return 'read'
  const kind = body.type ?? 'text'
  return typeof kind === 'string' ? kind.toLowerCase() : 'none'
}

/** The recipient as it was written, or null when the body names none. */
export function writtenRecipient(body: unknown): string | null {
  if (!isObject(body)) return null
  const written = body.to ?? body.recipient
  return typeof written === 'string' ? written : null
}

/** The refusal of a read receipt, or null for a good one. */
export function readReceiptRefusal(body: JsonObject): GraphError | null {
  if (body.messaging_product !== 'whatsapp') return parameterError('The parameter messaging_product is required.')
  if (!isFilled(body.message_id)) return parameterError('The parameter message_id is required.')
  const typing = body.typing_indicator
  // Which ids there are is looked up: not all begin with `wamid.`.
  return typing === undefined || (isObject(typing) && typing.type === 'text')
    ? null
    : graphError(131009, 'typing_indicator type must be text')
}

const OPAQUE_CHARACTERS_MAX = 512

function commonRefusal(body: JsonObject): GraphError | null {
  if (body.messaging_product !== 'whatsapp') return parameterError('The parameter messaging_product is required.')
  const recipientType = body.recipient_type ?? 'individual'
  if (recipientType === 'group') return graphError(131041, 'The simulator has no groups.')
  if (recipientType !== 'individual') return parameterError('Param recipient_type must be one of {INDIVIDUAL, GROUP}.')
  const opaque = body.biz_opaque_callback_data
  if (opaque !== undefined && typeof opaque !== 'string') return parameterError('Param biz_opaque_callback_data must be a string.')
  if (typeof opaque === 'string' && opaque.length > OPAQUE_CHARACTERS_MAX) {
    return parameterError(`Param biz_opaque_callback_data must be at most ${OPAQUE_CHARACTERS_MAX} characters long.`)
  }
  const context = body.context
  if (context !== undefined && !(isObject(context) && isFilled(context.message_id)))
    return graphError(131009, 'context.message_id is not valid')
  return null
}

function opaqueOf(body: JsonObject): string | null {
  const opaque = body.biz_opaque_callback_data
  return typeof opaque === 'string' ? opaque : null
}

/** When both are there, `to` wins. */
function recipientOf(body: JsonObject): { input: string; address: Address } | GraphError {
  const to = body.to
  if (isFilled(to)) {
    const digits = to.replace(/[+\s()-]/g, '')
    return /^\d{7,15}$/.test(digits) ? { input: to, address: { digits } } : graphError(131009, 'Recipient phone number is not valid')
  }
  const recipient = body.recipient
  if (!isFilled(recipient)) return parameterError('The parameter to is required.')
  const valid = /^[A-Z]{2}\.(ENT\.)?[A-Za-z0-9]{1,128}$/.test(recipient)
  return valid ? { input: recipient, address: { userId: recipient } } : graphError(131009, 'recipient is not a valid user id')
}

function templateOf(body: JsonObject, templates: TemplateLookup): Template | GraphError {
  const asked = isObject(body.template) ? body.template : {}
  const language = isObject(asked.language) ? asked.language : {}
  const name = String(asked.name)
  const code = String(language.code)
  const template = templates(name, code)
  if (template === null || !SENDABLE.includes(template.status)) {
    return graphError(132001, `template name (${name}) does not exist in ${code}`)
  }
  return templateSendRefusal(template, asked) ?? template
}

/** A paused and a disabled one are refused too, with codes of their own. */
const SENDABLE: readonly string[] = ['APPROVED', 'PAUSED', 'DISABLED']
