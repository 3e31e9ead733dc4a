import { type CheckedSend, checkSend, kindOf, readReceiptRefusal, writtenRecipient } from './check-send.ts'
import type { Fault } from './faults.ts'
import { type GraphError, graphError, graphErrorBody, parameterError } from './graph-error.ts'
import { isObject, type JsonObject, parseJson } from './json-value.ts'
import { fateOf, type Step } from './magic-numbers.ts'
import { isGraphError, type NumberState, numberFor, sendingRefusal } from './numbers.ts'
import { type Person, personAt, personOfUserId } from './person.ts'
import type { SendFacts } from './record.ts'
import type { World } from './world.ts'

/** A request to send, as it came. */
export type SendRequest = { phoneNumberId: string; authorization: string | undefined; raw: string }

/** How a send is answered: by an HTTP answer, or by what happens to its connection. */
export type Reply =
  | { kind: 'answer'; status: number; type: string; body: string; delayMs: number; retryAfterSeconds: number | null }
  | { kind: 'reset' }
  | { kind: 'close' }
  | { kind: 'hang' }

/** Takes, refuses or spoils one send, and writes down which. Statuses of a taken one are under way when this resolves. */
export async function receiveSend(world: World, request: SendRequest): Promise<Reply> {
  const body = parseJson(request.raw)
  const kind = kindOf(body)
  const { phoneNumberId } = request
  const fault = world.faults.take({ phoneNumberId, to: writtenRecipient(body), kind })
  if (fault !== null && !acceptsAnyway(fault)) {
    record(world, request, body, { outcome: 'faulted', fault: fault.kind, reason: `fault ${fault.kind}` })
    return spoiled(world, fault, '')
  }
  const verdict = judge(world, request, body)
  if ('status' in verdict) {
    record(world, request, body, { outcome: 'refused', code: verdict.code, reason: verdict.details ?? verdict.message })
    return errorReply(world, verdict)
  }
  if (verdict.kind === 'read') {
    record(world, request, body, { outcome: 'marked-read', fault: fault?.kind ?? null })
    return fault === null ? jsonReply(world, 200, '{"success":true}') : spoiled(world, fault, '{"success":true}')
  }
  const answer = await accept(world, request, { ...verdict, body, fault })
  return fault === null ? jsonReply(world, 200, answer) : spoiled(world, fault, answer)
}

/** Writes down a request whose connection was reset before its body was looked at. */
export function recordUnread(world: World, request: SendRequest): void {
  record(world, request, null, { outcome: 'faulted', fault: 'reset-before-reading', reason: 'fault reset-before-reading', raw: null })
}

type Accepted = { kind: 'send'; number: NumberState; send: CheckedSend; steps: readonly Step[]; digits: string }

function judge(world: World, request: SendRequest, body: unknown): Accepted | { kind: 'read' } | GraphError {
  const number = numberFor(world.directory, { id: request.phoneNumberId, authorization: request.authorization, verb: 'post' })
  if (isGraphError(number)) return number
  if (!isObject(body)) return parameterError('The body is not a JSON object.')
  const unable = sendingRefusal(number)
  if (unable !== null) return unable
  if (body.status === 'read') return readReceiptRefusal(body) ?? { kind: 'read' }
  return judgeSend(world, number, body)
}

function judgeSend(world: World, number: NumberState, body: JsonObject): Accepted | GraphError {
  const send = checkSend(body, world.templates.lookup(number.wabaId))
  if ('status' in send) return send
  const digits = dialledDigits(send)
  if (digits === number.displayDigits) return graphError(131021)
  const fate = fateOf(send, digits)
  if (fate.kind === 'refused') return fate.error
  // The limits come last: only a message that would have been taken uses them up.
  if (!world.throughput.pass(number.phoneNumberId)) return graphError(130429)
  if (world.pairs?.pass(`${number.phoneNumberId} ${digits}`) === false) return graphError(131056)
  return { kind: 'send', number, send, steps: fate.steps, digits }
}

/** For a user id these are the digits of the person behind it, or those at its end when it is not one of ours. */
function dialledDigits(send: CheckedSend): string {
  if ('digits' in send.address) return send.address.digits
  return personOfUserId(send.address.userId)?.waId ?? /\d*$/.exec(send.address.userId)?.[0] ?? ''
}

async function accept(world: World, request: SendRequest, taken: Accepted & { body: unknown; fault: Fault | null }): Promise<string> {
  const { send, number, digits } = taken
  const byUserId = 'userId' in send.address ? send.address.userId : null
  const person: Person | null = byUserId === null ? personAt(digits, world.behaviour.current.brazilNinthDigit) : personOfUserId(byUserId)
  const wamid = world.wamids.next(person?.waId ?? digits)
  const waId = byUserId === null ? (person?.waId ?? null) : null
  record(world, request, taken.body, { outcome: 'accepted', wamid, waId, opaque: send.opaque, fault: taken.fault?.kind ?? null })
  const subject = { wamid, number, opaque: send.opaque, template: send.template, answerer: person }
  const started = world.courses.start({ ...subject, person: { waId, userId: byUserId ?? person?.userId ?? null } }, taken.steps)
  if (world.behaviour.current.statusBeforeAnswer) await started
  return JSON.stringify({
    messaging_product: 'whatsapp',
    contacts: [{ input: send.input, ...(waId === null ? { user_id: byUserId } : { wa_id: waId }) }],
    messages: [{ id: wamid, ...(send.kind === 'template' ? { message_status: 'accepted' } : {}) }],
  })
}

/** Whether what was asked for is done in spite of the fault. */
export function acceptsAnyway(fault: Fault): boolean {
  if (fault.kind === 'graph-error' || fault.kind === 'html') return fault.accepted === true
  if (fault.kind === 'unreadable') return fault.accepted !== false
  return fault.kind === 'accept-then-reset' || fault.kind === 'accept-then-hang' || fault.kind === 'slow'
}

/** What a fault makes of an answer; `answer` is empty when what was asked for was not done. */
export function spoiled(world: World, fault: Fault, answer: string): Reply {
  switch (fault.kind) {
    case 'graph-error':
      return errorReply(world, scriptedError(fault))
    case 'html':
      return { ...jsonReply(world, fault.status ?? 502, HTML_PAGE), type: 'text/html; charset=utf-8' }
    case 'too-many-requests':
      return { ...errorReply(world, { ...graphError(4), status: 429 }), retryAfterSeconds: fault.retryAfterSeconds ?? null }
    case 'unreadable':
      return jsonReply(world, 200, answer === '' ? '{"messaging_product":"wha' : answer.slice(0, answer.length >> 1))
    case 'slow':
      return { ...jsonReply(world, 200, answer), delayMs: fault.delayMs }
    case 'accept-then-hang':
      return { kind: 'hang' }
    case 'accept-then-reset':
    case 'reset-before-reading':
      return { kind: 'reset' }
    case 'drop':
      return { kind: 'close' }
  }
}

const HTML_PAGE = '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>\n'

function scriptedError(fault: Fault & { kind: 'graph-error' }): GraphError {
  const error = graphError(fault.code, fault.details)
  return { ...error, status: fault.status ?? error.status, message: fault.message ?? error.message }
}

/** An error as the platform answers it. */
export function errorReply(world: World, error: GraphError): Reply & { kind: 'answer' } {
  return jsonReply(world, error.status, graphErrorBody(error, world.random))
}

/** An answer in JSON. */
export function jsonReply(world: World, status: number, body: string): Reply & { kind: 'answer' } {
  const type = 'application/json; charset=UTF-8'
  return { kind: 'answer', status, type, body, delayMs: world.behaviour.current.answerDelayMs, retryAfterSeconds: null }
}

function record(world: World, request: SendRequest, body: unknown, facts: Partial<SendFacts> & Pick<SendFacts, 'outcome'>): void {
  world.recorder.send({
    phoneNumberId: request.phoneNumberId,
    kind: kindOf(body),
    to: writtenRecipient(body),
    waId: null,
    raw: request.raw,
    opaque: isObject(body) && typeof body.biz_opaque_callback_data === 'string' ? body.biz_opaque_callback_data : null,
    wamid: null,
    code: null,
    reason: null,
    fault: null,
    ...facts,
  })
}
