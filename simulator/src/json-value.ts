/** An object as it came from JSON. */
export type JsonObject = { readonly [key: string]: unknown }

/** True for an object that is neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for a text with at least one character. */
export function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0
}

/** The value that this JSON text stands for, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
