import { type CheckedSend, checkSend, kindOf, readReceiptRefusal, writtenRecipient } from './check-send.ts'
import type { Fault } from './faults.ts'
import { flawOf } from './flaws.ts'
import { type GraphError, graphError, parameterError } from './graph-error.ts'
import { isObject, type JsonObject, parseJson } from './json-value.ts'
import { reachBackMs } from './known-messages.ts'
import { fateOf, type Step } from './magic-numbers.ts'
import { isGraphError, type NumberState, numberFor, sendingRefusal } from './numbers.ts'
import { type Person, personAt, personOfUserId } from './person.ts'
import type { SendFacts } from './record.ts'
import { doneAnyway, errorReply, jsonReply, type Reply, spoiled } from './reply.ts'
import type { World } from './world.ts'

/** A request to send, as it came. */
export type SendRequest = { phoneNumberId: string; authorization: string | undefined; raw: string }

/** Takes, refuses or spoils one send, and writes down which. Statuses of a taken one are under way when this resolves. */
export async function receiveSend(world: World, request: SendRequest): Promise<Reply> {
  const body = parseJson(request.raw)
  const kind = kindOf(body)
  const { phoneNumberId } = request
  const fault = world.faults.take({ phoneNumberId, to: writtenRecipient(body), kind })
  if (fault !== null && !doneAnyway(fault)) {
    record(world, request, body, { outcome: 'faulted', fault: fault.kind, reason: `fault ${fault.kind}` })
    return later(world, spoiled(world, fault, null))
  }
  const verdict = judge(world, request, body)
  if ('status' in verdict) {
    record(world, request, body, { outcome: 'refused', code: verdict.code, reason: verdict.details ?? verdict.message })
    return later(world, errorReply(world, verdict))
  }
  if (verdict.kind === 'read') {
    record(world, request, body, { outcome: 'marked-read', fault: fault?.kind ?? null })
    return later(world, spoiledIf(world, fault, '{"success":true}'))
  }
  const answer = await accept(world, request, { ...verdict, body, fault })
  return later(world, spoiledIf(world, fault, answer))
}

/** Writes down a request whose connection was reset before its body was looked at. */
export function recordUnread(world: World, request: SendRequest): void {
  record(world, request, null, { outcome: 'faulted', fault: 'reset-before-reading', reason: 'fault reset-before-reading', raw: null })
}

type Accepted = { kind: 'send'; number: NumberState; send: CheckedSend; steps: readonly Step[]; digits: string; person: Person | null }

function judge(world: World, request: SendRequest, body: unknown): Accepted | { kind: 'read' } | GraphError {
  const number = numberFor(world.directory, { id: request.phoneNumberId, authorization: request.authorization, verb: 'post' })
  if (isGraphError(number)) return number
  if (!isObject(body)) return parameterError('The body is not a JSON object.')
  const unable = sendingRefusal(number)
  if (unable !== null) return unable
  if (body.status === 'read') return readReceiptRefusal(body) ?? readRefusal(world, number, String(body.message_id)) ?? { kind: 'read' }
  return judgeSend(world, number, body)
}

/** Only what a person wrote to this number can be marked as read, and only for a while. */
function readRefusal(world: World, number: NumberState, wamid: string): GraphError | null {
  const message = world.messages.find(wamid)
  const readable = message !== null && message.subject === null && message.phoneNumberId === number.phoneNumberId
  if (!readable) return graphError(100, 'message_id is not the id of a message that this number has received')
  const tooOld = world.clock.nowMs() - message.atMs > reachBackMs
  return tooOld ? graphError(131009, 'The message is older than 30 days') : null
}

function judgeSend(world: World, number: NumberState, body: JsonObject): Accepted | GraphError {
  const send = checkSend(body, world.templates.lookup(number.wabaId))
  if ('status' in send) return send
  const digits = dialledDigits(send)
  if (digits === number.displayDigits) return graphError(131021)
  const { address } = send
  const person = 'userId' in address ? personOfUserId(address.userId) : personAt(digits, world.behaviour.current.brazilNinthDigit)
  const { media, messages, clock, behaviour } = world
  const deps = { media, messages, brokenLinks: behaviour.current.brokenLinks, nowMs: clock.nowMs() }
  const flaw = flawOf(deps, send.kind, body, { number, waId: person?.waId ?? null })
  if (flaw?.kind === 'refused') return flaw.error
  const fate = fateOf(send, digits)
  if (fate.kind === 'refused') return fate.error
  // The limits come last: only a message that would have been taken uses them up.
  if (!world.throughput.pass(number.phoneNumberId)) return graphError(130429)
  if (world.pairs?.pass(`${number.phoneNumberId} ${digits}`) === false) return graphError(131056)
  return { kind: 'send', number, send, steps: flaw === null ? fate.steps : [flaw], digits, person }
}

/** For a user id these are the digits of the person behind it, or those at its end when it is not one of ours. */
function dialledDigits(send: CheckedSend): string {
  if ('digits' in send.address) return send.address.digits
  return personOfUserId(send.address.userId)?.waId ?? /\d*$/.exec(send.address.userId)?.[0] ?? ''
}

async function accept(world: World, request: SendRequest, taken: Accepted & { body: unknown; fault: Fault | null }): Promise<string> {
  const { send, number, digits, person } = taken
  const byUserId = 'userId' in send.address ? send.address.userId : null
  const wamid = world.wamids.next(person?.waId ?? digits)
  const waId = byUserId === null ? (person?.waId ?? null) : null
  record(world, request, taken.body, { outcome: 'accepted', wamid, waId, opaque: send.opaque, fault: taken.fault?.kind ?? null })
  const { opaque, template, kind } = send
  const subject = { wamid, number, opaque, template, person: { waId, userId: byUserId ?? person?.userId ?? null } }
  const { phoneNumberId } = number
  world.messages.add(wamid, { phoneNumberId, waId: person?.waId ?? null, kind, atMs: world.clock.nowMs(), subject })
  const started = world.courses.start({ ...subject, answerer: person }, taken.steps)
  if (world.behaviour.current.statusBeforeAnswer) await started
  return JSON.stringify({
    messaging_product: 'whatsapp',
    contacts: [{ input: send.input, ...(waId === null ? { user_id: byUserId } : { wa_id: waId }) }],
    messages: [{ id: wamid, ...(kind === 'template' ? { message_status: 'accepted' } : {}) }],
  })
}

function spoiledIf(world: World, fault: Fault | null, body: string): Reply {
  const whole = jsonReply(200, body)
  return fault === null ? whole : spoiled(world, fault, whole)
}

/** The delay of the behaviour holds for every answer to a send but one whose fault has a delay of its own. */
function later(world: World, reply: Reply): Reply {
  if (reply.kind !== 'answer' || reply.delayMs > 0) return reply
  return { ...reply, delayMs: world.behaviour.current.answerDelayMs }
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
