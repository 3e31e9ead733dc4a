import type { Uuid } from '../../base/id.ts'

/** Who is served: the owner of keys, numbers, people and messages. */
export type Account = {
  id: Uuid
  name: string
  /** Name of a plan; null: none was agreed. */
  plan: string | null
  /** Since when it may not send; null: it may. */
  suspendedAt: Date | null
  /** A person's PARAR, SAIR, STOP … counts as an opt-out. */
  optOutWords: boolean
  createdAt: Date
}

/** What an account has bought: sends included in a month. */
export type Plan = { name: string; franchise: number }

/** The most accounts and plans that one list of the operator's tool shows. */
export const accountsListedMax = 10_000

export const nameCharsMax = 200
