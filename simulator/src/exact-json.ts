// TypeScript's library does not have it yet (ES2025 source text access); Node 24 does.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

/** The value that this JSON text stands for, whole numbers beyond 2^53 digit for digit; undefined when it is not JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value, context?: { source?: string }) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source !== undefined
        ? rawJson(context.source)
        : value,
    )
  } catch {
    return undefined
  }
}
