import type { Fact } from '../channels/public.ts'

export type TemplateEventKind =
  | 'template.status_updated'
  | 'template.category_updated'
  | 'template.quality_updated'
  | 'template.components_updated'

/** The numbers that a change of a business account is about: all of it, the one of this id, or the one of these digits. */
export type Whose =
  | { by: 'waba' }
  | { by: 'id'; phoneNumberId: string }
  /** `else_waba`: it is about all of it where the digits are of no number of ours. */
  | { by: 'digits'; digits: string; elseWaba: boolean }

/** What a change of numbers says. `check`: whose state it leaves to be read from upstream. */
export type NumberChange = {
  kind: 'numbers'
  wabaId: string
  whose: Whose
  facts: readonly { fact: Fact; value: string | null }[]
  check: 'none' | 'those' | 'whole_account'
}

/** A change of templates or numbers, or why it is none for us. */
export type ReadChange =
  | { kind: 'template'; wabaId: string; type: TemplateEventKind; category: { name: string; language: string; category: string } | null }
  | NumberChange
  /** Nothing that is told; of some the operator should know. */
  | { kind: 'passed_over'; alert: string | null }
  | { kind: 'unreadable'; reason: string }
