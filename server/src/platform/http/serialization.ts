import fastJson, { type Schema } from 'fast-json-stringify'
import { referredBy, type SchemasById } from './schema-closure.ts'

/** Writes an answer as its schema has it. */
export type Serialize = (value: unknown) => string

/** Returns the writer of a schema. Two that are written alike share one. */
export function buildSerializer(): (schema: unknown, known: SchemasById) => Serialize {
  const compiled = new Map<string, Serialize>()
  return (schema, known) => {
    const needed = referredBy(schema, known)
    const key = JSON.stringify([schema, needed])
    const serialize = compiled.get(key) ?? (fastJson(schema as Schema, { schema: needed as Record<string, Schema> }) as Serialize)
    compiled.set(key, serialize)
    return serialize
  }
}
