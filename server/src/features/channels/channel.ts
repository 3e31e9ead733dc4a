import type { Uuid } from '../../base/id.ts'
import type { Sealed } from '../../base/seal.ts'

export type ChannelStatus = 'connected' | 'disconnected'

/** What upstream says about a number; null: not told. */
export type NumberFacts = {
  status: ChannelStatus
  /** Why it is not connected; null when it is. */
  disconnectedBecause: string | null
  /** Digits only. */
  phone: string | null
  displayName: string | null
  nameStatus: string | null
  quality: string | null
  throughput: string | null
  messagingLimit: string | null
  officialBusinessAccount: boolean | null
  /** The number also lives in the phone's Business app. */
  onBusinessApp: boolean
}

/** A number through which an account speaks. */
export type Channel = NumberFacts & {
  id: Uuid
  accountId: Uuid
  phoneNumberId: string
  wabaId: string
  /** Whether upstream sends the notices of its WABA to our app; null: not known. */
  subscribed: boolean | null
  /** When upstream last answered what it is; null: not since the version that keeps this. */
  checkedAt: Date | null
  /** When a notice about it last came, to the minute; null: never. */
  lastNoticeAt: Date | null
  createdAt: Date
}

/** What a send or a notice needs to know of a number. */
export type ChannelInUse = {
  id: Uuid
  accountId: Uuid
  status: ChannelStatus
  disconnectedBecause: string | null
  phoneNumberId: string
  wabaId: string
  phone: string | null
  /** null: the operator took it away. */
  sealedToken: Sealed | null
  onBusinessApp: boolean
}

export const disconnectedByOperator = 'The operator disconnected this number.'

/** What is told of a number by itself, each fact in an order of its own. */
export type Fact = 'quality' | 'throughput' | 'messagingLimit' | 'displayName' | 'nameStatus' | 'disconnectedBecause'

/** A fact that a notice told; `at` is upstream's moment. A reason for being disconnected disconnects. */
export type ToldOfNumber = { accountId: Uuid; channelId: Uuid; fact: Fact; value: string | null; at: Date }

/** What counts of several facts about one number: of each the last one told; of two in one second always the same one. */
export type LastTold = { accountId: Uuid; channelId: Uuid; facts: ReadonlyMap<Fact, ToldOfNumber> }

/** Upstream dates what it tells in whole seconds: what we read ourselves is dated alike. */
export const secondOf = (at: Date): Date => new Date(Math.floor(at.getTime() / 1_000) * 1_000)
