import { mediaReferences } from './check-media.ts'
import { type GraphError, parameterError } from './graph-error.ts'
import { isObject, type JsonObject } from './json-value.ts'
import { type KnownMessages, reachBackMs } from './known-messages.ts'
import type { MediaStore } from './media-store.ts'
import { kindOfType } from './media-types.ts'
import type { NumberState } from './numbers.ts'

/** What is wrong with something that a well-formed send points to: the platform refuses it in its answer, or takes it and says so by a notice. */
export type Flaw = { kind: 'refused'; error: GraphError } | { kind: 'failed'; code: number; details: string }

type Deps = { media: MediaStore; messages: KnownMessages; brokenLinks: readonly string[]; nowMs: number }

/** The first flaw of what a send of this number to this person points to, or null. `waId` is null for a person known by a user id alone. */
export function flawOf(deps: Deps, kind: string, body: JsonObject, from: { number: NumberState; waId: string | null }): Flaw | null {
  return mediaFlaw(deps, body, from.number) ?? (kind === 'reaction' ? reactionFlaw(deps, body.reaction, from) : null)
}

function mediaFlaw(deps: Deps, body: JsonObject, number: NumberState): Flaw | null {
  for (const { kind, id, link } of mediaReferences(body)) {
    if (link !== null && deps.brokenLinks.some((part) => link.includes(part)))
      return { kind: 'failed', code: 131053, details: `Downloading media from weblink failed with http code 404 for ${kind}` }
    if (id === null) continue
    const file = deps.media.find(id)
    // Files of another number are not told apart from files that never were.
    if (file === null || file.phoneNumberId !== number.phoneNumberId)
      return { kind: 'refused', error: parameterError(`${id} is not a valid whatsapp business account media attachment ID`) }
    if (kindOfType(file.mimeType) !== kind)
      return { kind: 'failed', code: 131053, details: `Media file of type ${file.mimeType} cannot be sent as ${kind}` }
  }
  return null
}

function reactionFlaw(deps: Deps, reaction: unknown, { number, waId }: { number: NumberState; waId: string | null }): Flaw | null {
  const target = isObject(reaction) ? deps.messages.find(String(reaction.message_id)) : null
  const inChat = target !== null && target.phoneNumberId === number.phoneNumberId && (target.waId ?? waId) === (waId ?? target.waId)
  const good = inChat && target.kind !== 'reaction' && deps.nowMs - target.atMs <= reachBackMs
  return good ? null : { kind: 'failed', code: 131009, details: 'Reaction message is too old, was deleted, or is no message of this chat.' }
}
