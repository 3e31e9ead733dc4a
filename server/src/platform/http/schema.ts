import { type Static, type TSchema, Type } from 'typebox'
import { REFUSALS, type RefusalCode } from '../../base/refusal.ts'

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

/** What the code of an error is, for the document. */
export const codeWords = 'For programs: which kind of error it is.'

export const errorSchema = Type.Object(
  {
    error: Type.Object(
      {
        code: Type.Unsafe<RefusalCode>({
          type: 'string',
          enum: Object.keys(REFUSALS),
          description: codeWords,
        }),
        message: Type.String({ description: 'For people; its words may change.' }),
        details: Type.Optional(
          Type.Array(
            Type.Object({
              message: Type.String({ description: 'What is wrong, for people.' }),
              field: Type.Optional(Type.String({ description: 'What is wrong, as a JSON path: contacts[2].name.' })),
              code: Type.Optional(
                Type.Unsafe<string | number>({
                  type: ['string', 'integer'],
                  description: "The upstream platform's code, where it has one.",
                }),
              ),
            }),
            { description: 'What exactly is wrong, where more can be said than `message` does.' },
          ),
        ),
        request_id: Type.String({ description: 'The Request-Id of the call.' }),
      },
      { description: 'The error.' },
    ),
  },
  { $id: 'Error', description: 'Why a call was not done.' },
)

type ErrorStatus = (typeof REFUSALS)[RefusalCode]
type StatusOf<Reason extends ErrorStatus | RefusalCode> = Reason extends RefusalCode ? (typeof REFUSALS)[Reason] : Reason

/** What any call can be answered: unknown fields, a wrong key, one that may not, too many calls, and a database that is away. */
const everywhere = [400, 401, 403, 429, 500] as const

type ErrorResponses<Reason extends ErrorStatus | RefusalCode> = Record<
  StatusOf<Reason> | (typeof everywhere)[number],
  typeof errorReference
>

const errorReference = component(errorSchema)

/**
 * The error answers of a route, for its `response`, by status or by code: `{ 202: message, ...errors(404, 'conflict') }`. A status stands
 * for all of its codes, so 409 and 422 are better named by the codes that the route really has: the document lists them, and each must be
 * reached by a test. What every route can answer (400, 401, 403, 429, 500) is there unasked.
 */
export function errors<const Reasons extends readonly (ErrorStatus | RefusalCode)[]>(...reasons: Reasons): ErrorResponses<Reasons[number]> {
  const all: readonly (ErrorStatus | RefusalCode)[] = [...everywhere, ...reasons]
  const codes = codesInOrder.filter((code) => all.includes(code) || all.includes(REFUSALS[code]))
  const byStatus = Map.groupBy(codes, (code) => REFUSALS[code])
  // What stands beside a reference is for the document alone (`codesOf`).
  const answers = [...byStatus].map(([status, listed]) => [status, { ...errorReference, [codesKeyword]: listed }])
  return Object.fromEntries(answers) as ErrorResponses<Reasons[number]>
}

const codesInOrder = Object.keys(REFUSALS) as RefusalCode[]
const codesKeyword = 'x-codes'

/** The codes of an answer that `errors` made; none for any other schema. */
export function codesOf(schema: unknown): readonly RefusalCode[] {
  return (schema as { [codesKeyword]?: readonly RefusalCode[] } | undefined)?.[codesKeyword] ?? []
}
