import type { JsonObject, JsonText } from '../../base/json.ts'

/** A change as upstream wrote it, of one business account. */
export type Change = {
  field: string
  value: JsonObject
  /** The id of the entry: mostly of the WABA, of some fields that of a business portfolio. */
  entryId: string | null
  /** When upstream told it, in whole seconds; null: it does not say. */
  at: Date | null
  /** What an event of it shows as `meta`: the notice with nothing but this change (rule: receive 5). */
  meta: JsonText
}

/** One thing that a notice tells. A notice can hold many, of several numbers. */
export type NoticeItem =
  | { kind: 'status'; phoneNumberId: string; status: JsonObject }
  | { kind: 'message'; phoneNumberId: string; message: JsonObject; contact: JsonObject | null }
  /** What the business did in the phone's own app. */
  | { kind: 'echo'; phoneNumberId: string; message: JsonObject; contact: JsonObject | null }
  /** A message from before the number was connected, with the conversation that it is of and the number's own phone. */
  | { kind: 'history'; phoneNumberId: string; message: JsonObject; contact: JsonObject | null; ownPhone: string | null }
  | { kind: 'call'; phoneNumberId: string; message: JsonObject; contact: JsonObject | null }
  /** What went wrong with the number itself, by upstream's codes: nothing to attach it to. */
  | { kind: 'errors'; field: string; codes: readonly number[] }
  /** What one person said about marketing messages; its change has nothing else. */
  | { kind: 'preference'; phoneNumberId: string; preference: JsonObject; contact: JsonObject | null; change: Change }
  /** A change of anything else than messages: of templates, numbers, accounts. */
  | { kind: 'change'; change: Change }
  /** Known to be nothing for us, or nothing yet: kept raw, for a later replay. */
  | { kind: 'passed_over'; field: string }
  | { kind: 'unreadable'; field: string; item: JsonText; reason: string }
