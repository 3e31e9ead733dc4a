import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GraphCall } from './calls.ts'
import type { GraphError } from './graph-error.ts'
import { isGraphError } from './numbers.ts'
import { type Answer, doneAnyway, enact, errorReply, jsonReply, type Reply, spoiled } from './reply.ts'
import type { World } from './world.ts'

/** What a handler says: a JSON object to answer with 200, an answer of its own, or the platform's error. */
export type Told = Answer | GraphError | { [key: string]: unknown }

/** Runs one call: the fault script first, then the handler, and writes down how it was answered. */
export async function graphCall(
  world: World,
  { call, id, request, reply }: { call: GraphCall; id: string; request: FastifyRequest; reply: FastifyReply },
  handle: () => Told | Promise<Told>,
): Promise<FastifyReply> {
  const fault = world.faults.takeCall(call, id)
  const whole = fault === null || doneAnyway(fault) ? answerOf(world, await handle()) : null
  // A fault that comes after the work gives way to a refusal, as it does for sends.
  const good = whole === null || whole.status < 400
  const answer: Reply = fault !== null && good ? spoiled(world, fault, whole) : (whole ?? jsonReply(200, '{}'))
  const { method, url } = request
  const status = answer.kind === 'answer' ? answer.status : null
  world.calls.push({
    sequence: world.calls.last() + 1,
    at: new Date(world.clock.nowMs()).toISOString(),
    ...{ call, method, path: url, id, status, fault: fault?.kind ?? null },
  })
  enact(world, reply, answer)
  return reply
}

function answerOf(world: World, told: Told): Answer {
  if (isAnswer(told)) return told
  return isGraphError(told) ? errorReply(world, told) : jsonReply(200, JSON.stringify(told))
}

function isAnswer(told: Told): told is Answer {
  return 'kind' in told && told.kind === 'answer'
}
