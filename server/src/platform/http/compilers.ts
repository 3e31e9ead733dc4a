import type { FastifyServerOptions } from 'fastify'
import type { SchemasById } from './schema-closure.ts'
import { buildSerializer, type Serialize } from './serialization.ts'
import { buildValidator, type Check } from './validation.ts'

type SchemaController = NonNullable<FastifyServerOptions['schemaController']>
type Factory = Required<NonNullable<SchemaController['compilersFactory']>>
type Route = { schema: unknown; method?: string; url?: string; httpPart?: string; contentType?: string; httpStatus?: string }

/** One part of a route whose schema becomes code at its first use, or when `compile` is called. */
export type Compilation = { method: string; url: string; part: string; compile(): void }

export type Compilers = {
  /** What Fastify takes. */
  controller: SchemaController
  /** Every part of every route that is registered so far. A schema that cannot be compiled throws there, at its first use else. */
  compilations: readonly Compilation[]
}

/**
 * Compiles the schemas of routes when they are first needed. A start that compiled all of them stood still for seconds, and most of
 * the routes of a process are never called.
 */
export function createCompilers(): Compilers {
  const compilations: Compilation[] = []
  const note = ({ method = '', url = '' }: Route, part: string, compile: () => void) => compilations.push({ method, url, part, compile })
  const validatorOf = buildValidator()
  const serializerOf = buildSerializer()

  const lazyCheck = (route: Route, known: SchemasById): Check => {
    const check = once(() => validatorOf(route, known))
    note(route, route.httpPart ?? 'body', check)
    const lazy: Check = (value) => {
      const passed = check()(value)
      lazy.errors = check().errors
      return passed
    }
    return lazy
  }
  const lazySerialize = (route: Route, known: SchemasById): Serialize => {
    const serialize = once(() => serializerOf(route.schema, known))
    note(route, `answer ${route.httpStatus}`, serialize)
    return (value) => serialize()(value)
  }
  // Fastify's types are those of its own compilers; it uses no more of them than this.
  const factory = {
    buildValidator: (known: SchemasById) => (route: Route) => lazyCheck(route, known),
    buildSerializer: (known: SchemasById) => (route: Route) => lazySerialize(route, known),
  } as unknown as Factory
  return { controller: { compilersFactory: factory }, compilations }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
