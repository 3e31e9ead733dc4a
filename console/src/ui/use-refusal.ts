import { useRef } from 'react'
import { fieldErrors } from './form-errors.tsx'

/** A refusal as far as it is about what stands in the form now. */
export type Refusal = { error: unknown; errors: ReturnType<typeof fieldErrors> }

type Values = Readonly<Record<string, unknown>>

/** What is left of a refusal: the words of a field whose value has changed go, and the whole once no field is left. Pure. */
export function refusalOf(error: unknown, refused: Values, values: Values): Refusal {
  const all = Object.entries(fieldErrors(error))
  const left = all.filter(([path]) => Object.is(valueAt(refused, path), valueAt(values, path)))
  return { error: all.length > 0 && left.length === 0 ? null : error, errors: Object.fromEntries(left) }
}

/** The value of a path: under the path itself, else under its first part (`text` of `text.body`). */
function valueAt(values: Values, path: string): unknown {
  return path in values ? values[path] : values[path.split(/[.[]/)[0] ?? '']
}

/** The refusal of a form, without what was corrected since. `values` are by the names that the refusal gives to fields. */
export function useRefusal(error: unknown, values: Values): Refusal {
  const refused = useRef({ error, values })
  if (refused.current.error !== error) refused.current = { error, values }
  return refusalOf(error, refused.current.values, values)
}
