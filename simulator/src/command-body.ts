import type { FastifyReply } from 'fastify'
import { isObject, type JsonObject, parseJson } from './json-value.ts'

/** The object that a command was given, or null. */
export function objectIn(body: unknown): JsonObject | null {
  const value = parseJson(textOf(body))
  return isObject(value) ? value : null
}

/** A body as the text that came; empty when there was none. */
export function textOf(body: unknown): string {
  return typeof body === 'string' ? body : ''
}

/** Answers a command that makes no sense. */
export function refuse(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(400).send({ error })
}
