import type { BatchObservation } from '../../platform/database/batcher.ts'
import type { LoopObservation } from '../../platform/lanes/loop.ts'

/** What fetching files tells: one for each try. */
export type FileObservation =
  | { kind: 'file.tried'; messageId: string; outcome: string; tries: number; because: string | null; ms: number }
  | { kind: 'file.trouble'; message: string }

/** What the send lanes tell: one for each upstream call that ended, and what happened to many at once. Never a text, never a phone. */
export type SendObservation =
  | LoopObservation
  | BatchObservation
  | {
      kind: 'send.finished'
      messageId: string
      /** The call that asked for it; null: it was accepted before calls were noted. */
      requestId: string | null
      channelId: string
      livemode: boolean
      attempt: number
      outcome: string
      brake: string | null
      code: number | null
      statusCode: number | null
      ms: number
      waitedMs: number
    }
  | { kind: 'reaction.finished'; channelId: string; outcome: string; code: number | null; statusCode: number | null; ms: number }
  | { kind: 'send.file_uploaded'; channelId: string; outcome: string; code: number | null; ms: number }
  | { kind: 'send.outcome_not_recorded'; message: string }
  /** One send that stops no other: it could not be prepared and is tried again, or its end cannot be written down. */
  | { kind: 'send.not_prepared' | 'send.not_settled'; messageId: string; message: string }
  /** The token of a number cannot be opened: it was sealed with another SECRET_KEY, or damaged. */
  | { kind: 'send.token_not_opened'; channelId: string }
  | { kind: 'send.orphans_unknown'; count: number }
  | { kind: 'send.expired'; count: number }
  | { kind: 'send.gave_up_unknown'; count: number }
