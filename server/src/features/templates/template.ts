import type { Uuid } from '../../base/id.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Sealed } from '../../base/seal.ts'

/** A template in one language, as upstream tells it; null: not told. Its states are upstream's, an open set. */
export type Template = {
  id: string | null
  name: string | null
  language: string | null
  status: string | null
  category: string | null
  subCategory: string | null
  parameterFormat: string | null
  quality: string | null
  rejectedReason: string | null
  components: readonly JsonObject[]
}

/** What upstream answers to a submission; `status` is that of the review. */
export type Submitted = { id: string | null; name: string; status: string; category: string }

/** Which template is meant, of which business account and of which of our accounts. */
export type TemplateKey = { accountId: Uuid; wabaId: string; name: string; language: string }

/** A template that upstream is asked about, and the token that may read it. */
export type WantedTemplate = TemplateKey & { sealedToken: Sealed }

/** A category that upstream told at a moment. */
export type SeenTemplate = TemplateKey & { category: string; at: Date }

/** What upstream told of a template's category: last by any way, and last by a notice. */
export type KnownCategory = { category: string; seenAt: Date; told: { category: string; at: Date } | null }

/** One spelling of a language code: some of upstream's notices write `pt-BR`. */
export const languageOf = (code: string): string => code.replaceAll('-', '_')
