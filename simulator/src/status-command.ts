import type { PostResult } from './callback-target.ts'
import { failedItem, statusItem } from './notices.ts'
import type { World } from './world.ts'

/**
 * A status of a message that was accepted, at a time of one's own choosing. `status` may be any text; `code` and `details` are for `failed`.
 * `timestamp` is Unix seconds. `extra` is laid over the status, so that any shape can be made.
 */
export type StatusInput = { wamid: string; status: string; code?: number; details?: string; timestamp?: string; extra?: object }

/** Posts a status beside the usual course. Null when no such message was sent. */
export async function postStatus(world: World, input: StatusInput): Promise<PostResult | null> {
  const subject = world.messages.find(input.wamid)?.subject ?? null
  if (subject === null) return null
  const { status, code = 131000, details, timestamp, extra } = input
  const atMs = timestamp === undefined ? world.clock.nowMs() : Number(timestamp) * 1000
  const failure = details === undefined ? { code } : { code, details }
  const item = status === 'failed' ? failedItem(subject, failure, atMs) : statusItem(subject, status, atMs)
  return world.courses.post({ ...item, content: { ...item.content, ...extra } })
}
