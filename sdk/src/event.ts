import type { EventType, Message } from './generated/contract.ts'
import { bytesOf, type RawBody, type VerifyOptions, verifySignature } from './verify-signature.ts'

type Envelope<Type extends EventType, Data> = {
  /** The same at every attempt to deliver it: what comes twice can be known by it. */
  id: string
  object: 'event'
  type: Type
  api_version: 'v1'
  created_at: string
  /** False for events of test keys. */
  livemode: boolean
  data: Data
}

/** What a person did with an emoji; empty when they took it back. `message_id` is the message that they reacted to. */
export type Reaction = { emoji: string; message_id: string; contact: Message['contact']; created_at: string }

/** The platform's own words, as they came: one change of one entry. */
export type UpstreamNotice = {
  object: string
  entry: { id: string; time?: number; changes: { field: string; value: { [k: string]: unknown }; [k: string]: unknown }[] }[]
}

type MessageEventType = Extract<EventType, `message.${string}`>
type EachEvent<Type extends EventType, Data> = Type extends EventType ? Envelope<Type, Data> : never

/** Every kind of event, told apart by `type`. A webhook for `*` is told of later kinds too: leave a way for a type that is not here. */
export type PomboEvent =
  | EachEvent<Exclude<MessageEventType, 'message.reaction'>, Message>
  | Envelope<'message.reaction', Message & { reaction: Reaction }>
  | EachEvent<Exclude<EventType, MessageEventType>, { meta: UpstreamNotice }>

/** The event in a body, once its signature has been verified: see verifySignature. Resolves as verifySignature does. */
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
