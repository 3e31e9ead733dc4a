import type { JsonText } from '../../base/json.ts'
import type { Refusal } from '../../base/refusal.ts'
import type { Result } from '../../base/result.ts'
import type { WantedTemplate } from '../templates/public.ts'

/** The answer of a send: the queued message as JSON, and whether it is the repetition of an earlier answer. */
export type SendAnswer = { body: JsonText; replayed: boolean }

/** `unread`: upstream must be asked for the category of this template before it can be decided. */
export type SendRefusal = Refusal & { unread?: WantedTemplate | null }

export type SendResult = Result<SendAnswer, SendRefusal>
