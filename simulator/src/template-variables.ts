import { isFilled, isObject, type JsonObject } from './json-value.ts'

/** The variables of a text, each once, in order: `1`, `2`, or names. */
export function variablesIn(text: unknown): string[] {
  if (typeof text !== 'string') return []
  return [...new Set([...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map(([, name = '']) => name))]
}

/** The first component of this type, or null. Types are compared whatever their case. */
export function componentOf(components: unknown, type: string): JsonObject | null {
  return listOf(components).find((each) => String(each.type).toUpperCase() === type) ?? null
}

/** The objects of a list; none for what is no list. */
export function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter((each: unknown) => isObject(each)) : []
}

/** How a new template names its variables: POSITIONAL where it does not say, whatever the case. */
export function formatOf(body: JsonObject): string {
  return isFilled(body.parameter_format) ? body.parameter_format.toUpperCase() : 'POSITIONAL'
}
