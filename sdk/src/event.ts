import type { PomboEvent } from './generated/contract.ts'
import { bytesOf, type RawBody, type VerifyOptions, verifySignature } from './verify-signature.ts'

export type { PomboEvent }

/**
 * The event in a body, once its signature has been verified; rejects as verifySignature does. A webhook for `*` is also told of kinds that
 * come later: leave a way for a `type` that is not among those of PomboEvent.
 */
export async function unwrapEvent(
  rawBody: RawBody,
  header: string | readonly string[] | null | undefined,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<PomboEvent> {
  await verifySignature(rawBody, header, secrets, options)
  return parseEvent(rawBody)
}

/** The event in a body whose signature has been verified elsewhere. Throws a TypeError for what is no event. */
export function parseEvent(rawBody: RawBody): PomboEvent {
  const event = parsed(new TextDecoder().decode(bytesOf(rawBody)))
  if (!isEvent(event)) throw new TypeError('The body is no event of the gateway.')
  return event
}

function isEvent(value: unknown): value is PomboEvent {
  if (typeof value !== 'object' || value === null) return false
  const { object, id, type, data } = value as Record<string, unknown>
  return object === 'event' && typeof id === 'string' && typeof type === 'string' && typeof data === 'object' && data !== null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
