import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../base/json.ts'
import type { ReasonCode } from '../../base/reasons.ts'
import { limits } from '../../limits.ts'
import type { Submitted, Template } from './template.ts'

const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })

const freeObject = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })

const components = [{ type: 'BODY', text: 'Olá, {{1}}! Seu pedido {{2}} foi enviado.', example: { body_text: [['Maria', '4711']] } }]

/** A Template as the contract shows it. */
export const templateSchema = Type.Object(
  {
    id: textOrNull("Upstream's id of the template in this language; `hsm_id` when only this one is to be deleted."),
    object: Type.Literal('template', { description: 'What this is.' }),
    name: textOrNull('The name, the same in all languages.'),
    language: textOrNull('The language code, such as pt_BR.'),
    status: textOrNull('APPROVED, PENDING, REJECTED, PAUSED, DISABLED; more may come.'),
    category: textOrNull('MARKETING, UTILITY or AUTHENTICATION. Upstream may change it.'),
    sub_category: textOrNull("Upstream's finer category."),
    parameter_format: textOrNull('POSITIONAL or NAMED.'),
    quality: textOrNull('GREEN, YELLOW or RED; null: not rated yet.'),
    rejected_reason: textOrNull('Why it was rejected; null when it was not.'),
    components: Type.Array(freeObject, { description: 'HEADER, BODY, FOOTER, BUTTONS …, as upstream has them.' }),
  },
  {
    $id: 'Template',
    description: 'A message that upstream has to approve before it may be sent outside of the service window.',
    examples: [
      {
        id: '1387372356726668',
        object: 'template',
        name: 'pedido_enviado',
        language: 'pt_BR',
        status: 'APPROVED',
        category: 'UTILITY',
        sub_category: null,
        parameter_format: 'POSITIONAL',
        quality: 'GREEN',
        rejected_reason: null,
        components,
      },
    ],
  },
)

type TemplateJson = Static<typeof templateSchema>

export function templateJson(template: Template): TemplateJson {
  return {
    id: template.id,
    object: 'template',
    name: template.name,
    language: template.language,
    status: template.status,
    category: template.category,
    sub_category: template.subCategory,
    parameter_format: template.parameterFormat,
    quality: template.quality,
    rejected_reason: template.rejectedReason,
    components: [...template.components],
  }
}

export const createTemplateSchema = Type.Object(
  {
    name: Type.String({
      pattern: `^[a-z0-9_]{1,${limits.templateNameCharsMax}}$`,
      description: 'Lower-case letters, digits and underscores.',
      'x-reason': 'template_name' satisfies ReasonCode,
      'x-expected': `1 to ${limits.templateNameCharsMax} lower-case letters, digits and underscores`,
      examples: ['pedido_enviado'],
    }),
    language: Type.String({ minLength: 1, maxLength: 64, description: 'The language code.', examples: ['pt_BR'] }),
    category: Type.Unsafe<string>({
      type: 'string',
      enum: ['MARKETING', 'UTILITY', 'AUTHENTICATION'],
      description: 'What it is for, which decides its price. Upstream may put it elsewhere.',
    }),
    components: Type.Array(freeObject, {
      minItems: 1,
      maxItems: limits.templateComponentsMax,
      description: 'HEADER, BODY, FOOTER, BUTTONS, CAROUSEL …, in the format of the upstream platform.',
      examples: [components],
    }),
    channel_id: Type.Optional(
      Type.String({ description: 'A number of the business account that is to have it; required when the account has several of those.' }),
    ),
  },
  {
    $id: 'CreateTemplateRequest',
    examples: [{ name: 'pedido_enviado', language: 'pt_BR', category: 'UTILITY', components }],
    additionalProperties: true,
    description: 'Fields that are not listed here, such as `parameter_format`, go to the upstream platform unchanged.',
  },
)

/** The fields of a submission, and those of the platform that people write most. */
export const submissionFields = [...Object.keys(createTemplateSchema.properties), 'parameter_format', 'allow_category_change']

export type CreateTemplateBody = Static<typeof createTemplateSchema>

/** What POST /templates answers. */
export const submittedSchema = Type.Object(
  {
    id: textOrNull("Upstream's id of the template."),
    object: Type.Literal('template', { description: 'What this is.' }),
    status: Type.String({ description: 'PENDING while it is reviewed; the outcome is told by the event template.status_updated.' }),
    name: Type.Optional(Type.String({ description: 'The name, as it was submitted.' })),
    category: Type.Optional(Type.String({ description: 'Where upstream put it, which may be another category than was asked for.' })),
  },
  {
    $id: 'SubmittedTemplate',
    description: 'A template that was submitted for review.',
    examples: [{ id: '1387372356726668', object: 'template', status: 'PENDING', name: 'pedido_enviado', category: 'UTILITY' }],
  },
)

export function submittedJson({ id, status, name, category }: Submitted): Static<typeof submittedSchema> {
  return { id, object: 'template', status, name, category }
}

export const templateDeletedSchema = Type.Object(
  { deleted: Type.Boolean({ description: 'True: it is gone.' }), name: Type.String({ description: 'The name of the template.' }) },
  { $id: 'TemplateDeleted', description: 'That a template is gone.', examples: [{ deleted: true, name: 'pedido_enviado' }] },
)
