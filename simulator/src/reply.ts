import type { FastifyReply } from 'fastify'
import type { Fault } from './faults.ts'
import { type GraphError, graphError, graphErrorBody } from './graph-error.ts'
import type { World } from './world.ts'

/** An HTTP answer. `cutAt` is how many bytes of the body leave before the connection is closed; null lets all of it leave. */
export type Answer = {
  kind: 'answer'
  status: number
  type: string
  body: string | Buffer
  delayMs: number
  retryAfterSeconds: number | null
  cutAt: number | null
}

/** How a call is answered: by an HTTP answer, or by what happens to its connection. */
export type Reply = Answer | { kind: 'reset' } | { kind: 'close' } | { kind: 'hang' }

/** An answer in JSON; `body` is its text. */
export function jsonReply(status: number, body: string): Answer {
  return { kind: 'answer', status, type: 'application/json; charset=UTF-8', body, delayMs: 0, retryAfterSeconds: null, cutAt: null }
}

/** The platform's own error answer. */
export function errorReply(world: World, error: GraphError): Answer {
  return jsonReply(error.status, graphErrorBody(error, world.random))
}

/** True for a fault behind which the platform has done what it was asked for. */
export function doneAnyway(fault: Fault): boolean {
  if (fault.kind === 'graph-error' || fault.kind === 'html') return fault.accepted === true
  if (fault.kind === 'unreadable') return fault.accepted !== false
  return DONE_ANYWAY.includes(fault.kind)
}

const DONE_ANYWAY: readonly Fault['kind'][] = ['accept-then-reset', 'accept-then-hang', 'slow', 'truncated', 'altered']

/** What a fault makes of an answer; `whole` is null when nothing was done and there is none. */
export function spoiled(world: World, fault: Fault, whole: Answer | null): Reply {
  const answer = whole ?? jsonReply(200, '{"messaging_product":"whatsapp"}')
  switch (fault.kind) {
    case 'graph-error':
      return errorReply(world, scriptedError(fault))
    case 'html':
      return { ...jsonReply(fault.status ?? 502, HTML_PAGE), type: 'text/html; charset=utf-8' }
    case 'too-many-requests':
      return { ...errorReply(world, { ...graphError(4), status: 429 }), retryAfterSeconds: fault.retryAfterSeconds ?? null }
    case 'unreadable':
      return { ...answer, status: 200, body: answer.body.slice(0, answer.body.length >> 1) }
    case 'truncated':
      return { ...answer, cutAt: Buffer.byteLength(answer.body) >> 1 }
    case 'altered':
      return { ...answer, body: altered(answer.body) }
    case 'slow':
      return { ...answer, delayMs: fault.delayMs }
    case 'accept-then-hang':
      return { kind: 'hang' }
    case 'accept-then-reset':
    case 'reset-before-reading':
      return { kind: 'reset' }
    case 'drop':
      return { kind: 'close' }
  }
}

/** Does to the connection what the reply says; a hanging one stays open until its client or the simulator ends it. */
export function enact(world: World, reply: FastifyReply, what: Reply): void {
  if (what.kind === 'answer') {
    const answer = () => write(reply, what)
    if (what.delayMs > 0) world.due.after(what.delayMs, answer)
    else answer()
    return
  }
  reply.hijack()
  const { socket } = reply.request.raw
  if (what.kind === 'reset') socket.resetAndDestroy()
  if (what.kind === 'close') socket.destroy()
}

function write(reply: FastifyReply, answer: Answer): void {
  const { status, type, body, retryAfterSeconds, cutAt } = answer
  if (cutAt !== null) {
    reply.hijack()
    const bytes = Buffer.from(body)
    const { raw } = reply
    raw.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
    // The connection ends only after the part has left, or the client would see a reset instead of a body that stops.
    raw.write(bytes.subarray(0, cutAt), () => raw.socket?.end())
    return
  }
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds)
  reply.code(status).header('content-type', type).send(body)
}

const HTML_PAGE = '<!DOCTYPE html>\n<html><head><title>Error</title></head><body><h1>Sorry, something went wrong.</h1></body></html>\n'

function scriptedError(fault: Fault & { kind: 'graph-error' }): GraphError {
  const error = graphError(fault.code, fault.details)
  return { ...error, status: fault.status ?? error.status, message: fault.message ?? error.message }
}

/** As long as before and of the same form, but wrong: another first byte in a file, another hash in what is told of one. */
function altered(body: string | Buffer): string | Buffer {
  if (typeof body === 'string') return body.replace(/("sha256":")(.)/, (_all, before, digit) => `${before}${digit === '0' ? '1' : '0'}`)
  const bytes = Buffer.from(body)
  bytes[0] = (bytes[0] ?? 0) ^ 0xff
  return bytes
}
