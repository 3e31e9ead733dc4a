import { type Static, type TSchema, Type } from 'typebox'
import { REFUSALS } from '../../base/refusal.ts'

/**
 * A reference to a schema that has an `$id`, typed like the schema itself. The document shows it under that name; the scope
 * must know it by `addSchema`.
 */
export function component<Schema extends TSchema>(schema: Schema & { $id?: string }) {
  return Type.Unsafe<Static<Schema>>({ $ref: `${schema.$id}#` })
}

/** A body that may be left out: no body, an empty one, or one of this shape. Without one, `request.body` is null. */
export function optionalBody<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: ['object', 'null'] })
}

export const errorSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.Unsafe<keyof typeof REFUSALS>({ type: 'string', enum: Object.keys(REFUSALS) }),
      message: Type.String(),
      details: Type.Optional(
        Type.Array(
          Type.Object({
            message: Type.String(),
            field: Type.Optional(Type.String({ description: 'What is wrong, as a JSON path: contacts[2].name.' })),
            code: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
          }),
        ),
      ),
      request_id: Type.String({ description: 'The Request-Id of the call.' }),
    }),
  },
  { $id: 'Error' },
)

const errorReference = component(errorSchema)
type ErrorStatus = (typeof REFUSALS)[keyof typeof REFUSALS]

/** The error answers of a route, for its `response`: `{ 202: component(messageSchema), ...errors(400, 401) }`. */
export function errors<Status extends ErrorStatus>(...statuses: readonly Status[]): Record<Status, typeof errorReference> {
  return Object.fromEntries(statuses.map((status) => [status, errorReference])) as Record<Status, typeof errorReference>
}
