import { type Static, Type } from 'typebox'
import { type OptOut, type OptOutSource, optOutSources } from './opt-out.ts'

/** As long as what a send is addressed to. */
const personCharsMax = 140

/** Whose opt-out is asked for. */
export const optOutRequestSchema = Type.Object(
  {
    phone: Type.String({
      minLength: 1,
      maxLength: personCharsMax,
      description:
        'The person, as in the `to` of a send: a phone with country code, 10 to 15 digits (`+`, spaces, hyphens and brackets are allowed), or the user id of a known person.',
      examples: ['+55 11 98765-4321'],
    }),
  },
  {
    $id: 'CreateMarketingOptOut',
    description: 'Whose opt-out is set.',
    additionalProperties: false,
    examples: [{ phone: '+55 11 98765-4321' }],
  },
)

/** Only of a person without a phone. */
const userId = Type.Optional(Type.String({ description: "Upstream's user id; only of a person whose phone is not known." }))
const phone = Type.String({ description: 'Digits with country code, in one spelling however it was dialled; empty where it is not known.' })

/** An opt-out as the contract shows it. */
export const optOutSchema = Type.Object(
  {
    object: Type.Literal('marketing_opt_out', { description: 'What this is.' }),
    phone,
    user_id: userId,
    source: Type.Unsafe<OptOutSource>({
      type: 'string',
      enum: optOutSources,
      description: "What it came from: a call, the person's own control, upstream's refusal, the console, or a word that the person wrote.",
    }),
    by: Type.Optional(Type.String({ description: 'Of the source `console`, who of the team it was; told in the console alone.' })),
    created_at: Type.String({ format: 'date-time', description: 'When the person opted out.' }),
    livemode: Type.Boolean({ description: 'False for what a test key did.' }),
  },
  {
    $id: 'MarketingOptOut',
    description: 'A person who gets no marketing templates.',
    examples: [
      {
        object: 'marketing_opt_out',
        phone: '5511987654321',
        source: 'api',
        created_at: '2026-11-27T21:11:41.747Z',
        livemode: true,
      },
    ],
  },
)

/** What is left of an opt-out that was taken back. */
export const optOutDeletedSchema = Type.Object(
  { deleted: Type.Literal(true, { description: 'It is taken back.' }), phone, user_id: userId },
  {
    $id: 'MarketingOptOutDeleted',
    description: 'That an opt-out is taken back.',
    examples: [{ deleted: true, phone: '5511987654321' }],
  },
)

/** The person as an opt-out shows them. */
type ShownPerson = { phone: string; userId: string | null }

export function optOutJson(optOut: OptOut, person: ShownPerson, by?: string): Static<typeof optOutSchema> {
  return {
    object: 'marketing_opt_out',
    ...personJson(person),
    source: optOut.source,
    ...(by === undefined ? {} : { by }),
    created_at: optOut.createdAt.toISOString(),
    livemode: optOut.livemode,
  }
}

/** By what a person is named in a record, and can be named in the next call. */
export function personJson({ phone, userId }: ShownPerson): { phone: string; user_id?: string } {
  return phone === '' && userId !== null ? { phone, user_id: userId } : { phone }
}
