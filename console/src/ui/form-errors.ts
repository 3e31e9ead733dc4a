import { ApiError } from '../api/client.ts'

/** What a refusal says of single fields, by their paths (`text.body`), for the inputs of a form. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(error.details.flatMap(({ field, message }) => (field === undefined ? [] : [[field, message]])))
}
