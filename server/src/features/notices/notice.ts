import type { JsonObject, JsonText } from '../../base/json.ts'

/** One thing that a notice tells. A notice can hold many, of several numbers. */
export type NoticeItem =
  | { kind: 'status'; phoneNumberId: string; status: JsonObject }
  | { kind: 'message'; phoneNumberId: string; message: JsonObject; contact: JsonObject | null }
  /** Known to be nothing for us, or nothing yet: kept raw, for a later replay. */
  | { kind: 'passed_over'; field: string }
  | { kind: 'unreadable'; field: string; item: JsonText; reason: string }
