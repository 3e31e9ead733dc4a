import type { DeliveryHint } from '../webhooks/public.ts'
import type { ChangeFate } from './apply-changes.ts'
import type { Queue } from './store.ts'
import type { Worked } from './work-through.ts'

export type ToldByNotices =
  /** Changes of templates, numbers and preferences of one field, by what became of them. */
  | { kind: 'notices.changes'; field: string; fate: ChangeFate; count: number }
  | { kind: 'notices.security'; event: string }
  /** What upstream tells of a number itself, such as that too much was sent: its field and upstream's codes. */
  | { kind: 'notices.errors_told'; field: string; codes: readonly number[] }

export type AnnounceDeps = {
  observe: (observation: ToldByNotices) => void
  wakeDeliveries: (hints: readonly DeliveryHint[]) => void
  /** Files are to be fetched. */
  wakeFiles: () => void
  /** Something came for these numbers. */
  heard: (numbers: Worked['heard']) => void
}

/** Does what follows a commit of worked items: all of it may be lost. */
export function announce({ observe, wakeDeliveries, wakeFiles, heard }: AnnounceDeps, queue: Queue, worked: readonly Worked[]): void {
  wakeDeliveries(worked.flatMap((each) => each.hints))
  if (worked.some((each) => each.filesQueued)) wakeFiles()
  // What is told once more says nothing of now.
  if (queue === 'replay') return
  heard(worked.flatMap((each) => each.heard))
  const same = Map.groupBy(
    worked.flatMap((each) => each.changes),
    ({ field, fate }) => `${field} ${fate}`,
  )
  for (const [first, ...others] of same.values()) if (first) observe({ kind: 'notices.changes', ...first, count: 1 + others.length })
  for (const event of worked.flatMap((each) => each.alerts)) observe({ kind: 'notices.security', event })
  for (const { field, codes } of worked.flatMap((each) => each.errors)) observe({ kind: 'notices.errors_told', field, codes })
}
