/** What a line of the log may hold: numbers, booleans, short texts and ids. An object is a type error, so that no body, row or caller gets in. */
export type Field = string | number | boolean | null | readonly (string | number)[]

export type Level = 'debug' | 'info' | 'warn' | 'error'

/** One finished piece of work or one fault; `kind` is `<area>.<what happened>`. Each area has its own closed union of these. */
export type Observation = { readonly kind: string; readonly level?: Level; readonly [field: string]: Field | undefined }

/** Takes note of something; never throws and never waits. */
export type Observe = (observation: Observation) => void
