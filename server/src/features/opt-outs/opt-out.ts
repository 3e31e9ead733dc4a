import type { Uuid } from '../../base/id.ts'

/** Who or what asked for it: a call, the person's own control, upstream's refusal of a send, the team, or a word that the person wrote. */
export const optOutSources = ['api', 'person', 'upstream', 'console', 'keyword'] as const

export type OptOutSource = (typeof optOutSources)[number]

/** A person who wants no marketing messages (rule: opt-outs 1): one contact of one account and mode, whatever digits were dialled. */
export type OptOut = {
  accountId: Uuid
  livemode: boolean
  contactId: Uuid
  source: OptOutSource
  /** The member of the team who did it; null: nobody of the team, or not known. */
  author: Uuid | null
  createdAt: Date
}

/** What was heard of a person's will about marketing, `at` by the clock of whoever told. `wanted` false is an opt-out, of this source. */
export type Wish = { accountId: Uuid; livemode: boolean; contactId: Uuid; wanted: boolean; source: OptOutSource; at: Date }
