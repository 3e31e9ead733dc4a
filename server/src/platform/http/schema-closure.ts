import { assert } from '../../base/assert.ts'

/** Schemas by their `$id`, as a scope of routes knows them. */
export type SchemasById = Readonly<Record<string, unknown>>

/** Returns those of `known` that a schema refers to, directly or through others. Throws for a reference to none of them. */
export function referredBy(schema: unknown, known: SchemasById): SchemasById {
  const found: Record<string, unknown> = {}
  const follow = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, each] of Object.entries(value)) {
      if (key === '$ref' && typeof each === 'string') followReference(each)
      else follow(each)
    }
  }
  const followReference = (reference: string) => {
    const [id = ''] = reference.split('#')
    if (id === '' || id in found) return
    assert(known[id] !== undefined, `a schema refers to ${reference}, which its scope does not know`)
    found[id] = known[id]
    follow(known[id])
  }
  follow(schema)
  return found
}
