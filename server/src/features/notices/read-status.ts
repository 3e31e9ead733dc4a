import { isObject, type Json, type JsonObject, wholeNumber } from '../../base/json.ts'
import type { Pricing, StatusNotice, UpstreamStatus, Wamid } from '../messages/public.ts'
import { momentOf, noMoment } from './told-at.ts'

/** A status that is understood, one that is nothing for us, or why it can't be read. */
export type ReadStatus =
  | { kind: 'status'; status: Omit<StatusNotice, 'accountId' | 'channelId' | 'livemode'> }
  | { kind: 'passed_over' }
  | { kind: 'unreadable'; reason: string }

const known: ReadonlySet<string> = new Set<UpstreamStatus>(['sent', 'delivered', 'read', 'failed'])

/** Reads one item of `statuses[]`. One without a moment of its own counts as of `receivedAt` (rule: receive 17), and is unreadable without. Pure. */
export function readStatus(item: JsonObject, receivedAt: Date | null = null): ReadStatus {
  // A payment is told in the same place; `played` and kinds to come change nothing.
  if (item.type === 'payment' || item.recipient_type === 'group') return { kind: 'passed_over' }
  if (typeof item.status === 'string' && !known.has(item.status)) return { kind: 'passed_over' }
  if (typeof item.id !== 'string' || item.id === '') return { kind: 'unreadable', reason: 'it names no message' }
  if (typeof item.status !== 'string') return { kind: 'unreadable', reason: 'it has no status' }
  const at = momentOf(item.timestamp) ?? receivedAt
  if (at === null) return { kind: 'unreadable', reason: noMoment }
  const { biz_opaque_callback_data: opaque } = item
  return {
    kind: 'status',
    status: {
      wamid: item.id as Wamid,
      status: item.status as UpstreamStatus,
      at,
      opaque: typeof opaque === 'string' ? opaque : null,
      pricing: pricingOf(item.pricing),
      error: errorOf(item.errors),
    },
  }
}

/** The item of `statuses[]` that is read as this status: what was read once can be told again. */
export function statusItem(status: Pick<StatusNotice, 'wamid' | 'status' | 'at' | 'opaque' | 'pricing' | 'error'>): JsonObject {
  const { opaque, pricing, error } = status
  return {
    id: status.wamid,
    status: status.status,
    timestamp: status.at.getTime() / 1_000,
    ...(opaque === null ? {} : { biz_opaque_callback_data: opaque }),
    ...(pricing === null ? {} : { pricing: { ...pricing } }),
    ...(error === null ? {} : { errors: [{ code: error.code, message: error.message }] }),
  }
}

/** rule: receive 6. Without `billable` the type tells: only a regular message is billed. */
function pricingOf(value: Json | undefined): Pricing | null {
  if (!isObject(value)) return null
  const category = typeof value.category === 'string' ? value.category : null
  const told = typeof value.billable === 'boolean' ? value.billable : null
  const derived = typeof value.type === 'string' ? value.type === 'regular' : null
  const billable = told ?? derived
  return category === null && billable === null ? null : { category, billable }
}

function errorOf(value: Json | undefined): StatusNotice['error'] {
  const first = Array.isArray(value) ? value[0] : undefined
  if (!isObject(first)) return null
  const details = isObject(first.error_data) ? first.error_data.details : undefined
  const message = [details, first.message, first.title].find((text) => typeof text === 'string' && text !== '')
  return {
    // What no code of upstream's ever was must not keep the failure itself from being recorded.
    code: wholeNumber(first.code),
    message: typeof message === 'string' ? message : 'The platform gave no reason.',
  }
}
