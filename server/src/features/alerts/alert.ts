import type { Uuid } from '../../base/id.ts'

export const alertKinds = ['channel_token_lost', 'channel_quality_low', 'webhook_failing', 'queue_old'] as const
export type AlertKind = (typeof alertKinds)[number]

/** Something that is wrong now. `subject`: the id of the number or webhook as the contract shows it; empty: the account itself. */
export type Trouble = { accountId: Uuid; kind: AlertKind; subject: string }

/** A trouble from when it was seen until it is over: one for each episode. */
export type Alert = Trouble & {
  id: Uuid
  openedAt: Date
  /** When it was last seen to be wrong. */
  heldAt: Date
  /** Null: it is wrong still. */
  closedAt: Date | null
  /** Somebody has seen it and does not want to be shown it. */
  dismissedAt: Date | null
  mailedAt: Date | null
}
