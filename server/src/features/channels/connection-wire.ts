import { Type } from 'typebox'
import { shownReasons, stepNames, stepOutcomes } from './shown-steps.ts'
import { type ChannelDetailsJson, channelDetailsSchema } from './wire.ts'

const oneOf = <Word extends string>(words: readonly Word[]) => Type.Unsafe<Word>({ type: 'string', enum: words })

const step = Type.Object({
  step: oneOf(stepNames),
  outcome: oneOf(stepOutcomes),
  reason: Type.Unsafe<(typeof shownReasons)[number] | null>({ type: ['string', 'null'], enum: [...shownReasons, null] }),
  message: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'What happened and what to do, in English, with what upstream said.',
  }),
  code: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: "Upstream's own." }),
})

/** The number with the steps that were tried. */
export const connectionSchema = Type.Object({
  object: Type.Literal('channel_connection'),
  channel: Type.Unsafe<ChannelDetailsJson | null>({
    ...channelDetailsSchema,
    type: ['object', 'null'],
    description: 'Null: a step failed and nothing was changed.',
  }),
  steps: Type.Array(step, { description: 'In the order in which they are done.' }),
})

const token = Type.String({ minLength: 1, maxLength: 2_000, description: 'Never shown again.' })

export const connectSchema = Type.Object(
  {
    phone_number_id: Type.String({ maxLength: 32 }),
    waba_id: Type.String({ maxLength: 32 }),
    token,
    pin: Type.Optional(
      Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 6, description: 'Six digits: the number is also registered.' }),
    ),
  },
  { additionalProperties: false },
)

export const newTokenSchema = Type.Object({ token }, { additionalProperties: false })

export const connectionFactsSchema = Type.Object({
  object: Type.Literal('connection_facts'),
  notices_url: Type.String({ description: 'The callback URL to enter in the app at Meta.' }),
  verify_token: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The verify token to enter with it; null: this gateway has none.',
  }),
  app_id: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The Meta app that must be used; null: any.' }),
})
