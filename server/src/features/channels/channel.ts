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
