import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { ReasonWords } from './refusal-words.tsx'

/** What a refusal says of single fields, by their paths (`text.body`), for the inputs of a form; in the reader's language. */
export function fieldErrors(error: unknown): Readonly<Record<string, ReactNode>> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.details.flatMap(({ field, reason }) =>
      field === undefined ? [] : [[field, <ReasonWords key={field} reason={reason ?? null} />]],
    ),
  )
}
