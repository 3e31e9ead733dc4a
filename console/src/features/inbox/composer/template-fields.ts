import type { Media, Template } from '../../../api/generated/operations.ts'
import {
  fillIn,
  readTemplate,
  type TemplateComponent,
  type TemplateParts,
  type TemplateValues,
  variablesIn,
} from '../../../ui/template-parts.ts'

/** Something that is to be given for each send of a template. */
export type TemplateField =
  | { id: string; part: 'header' | 'body'; name: string; example: string | null }
  /** `name` is the button's label. */
  | { id: string; part: 'button'; kind: 'url' | 'copy_code'; index: number; name: string; example: string | null }
  | { id: string; part: 'location'; name: 'latitude' | 'longitude' | 'name' | 'address'; example: null }
  | { id: string; part: 'media'; format: MediaFormat }

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT'
/** What was given, by the ids of the fields. */
export type Given = { texts: Readonly<Record<string, string>>; media: Media | null }

const mediaFormats: readonly string[] = ['IMAGE', 'VIDEO', 'DOCUMENT']
const headerFormats: readonly string[] = [...mediaFormats, 'TEXT', 'LOCATION']
const componentTypes: readonly string[] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS']
const buttonTypes: readonly string[] = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE', 'OTP', 'FLOW']

/** Whether it can be sent from here: carousels, catalogues and what else upstream has are sent by the customer's system. */
export function isSupported({ components }: Pick<Template, 'components'>): boolean {
  const { header, buttons } = readTemplate(components)
  return (
    components.every(({ type }) => componentTypes.includes(String(type).toUpperCase())) &&
    (header === null || headerFormats.includes(header.format)) &&
    buttons.every(({ type }) => buttonTypes.includes(type))
  )
}

/** What is to be filled in, in the order in which it is read. */
export function fieldsOf({ components }: Pick<Template, 'components'>): TemplateField[] {
  const parts = readTemplate(components)
  const examples = examplesOf(components)
  const texts = (part: 'header' | 'body', text: string): TemplateField[] =>
    variablesIn(text).map((name, i) => ({
      id: `${part}.${name}`,
      part,
      name,
      example: examples[part][name] ?? examples[part][i + 1] ?? null,
    }))
  return [
    ...headerFields(parts),
    ...(parts.header?.format === 'TEXT' ? texts('header', parts.header.text) : []),
    ...texts('body', parts.body),
    ...buttonFields(parts),
  ]
}

function headerFields({ header }: TemplateParts): TemplateField[] {
  if (header === null) return []
  if (mediaFormats.includes(header.format)) return [{ id: 'media', part: 'media', format: header.format as MediaFormat }]
  if (header.format !== 'LOCATION') return []
  return (['latitude', 'longitude', 'name', 'address'] as const).map((name) => ({
    id: `location.${name}`,
    part: 'location',
    name,
    example: null,
  }))
}

/** A button that copies the code of an authentication template takes it from the body. */
function buttonFields({ buttons }: TemplateParts): TemplateField[] {
  return buttons.flatMap((button, index): TemplateField[] => {
    const field = { id: `button.${index}`, part: 'button', index, name: button.text, example: null } as const
    if (button.type === 'URL' && variablesIn(button.url).length > 0) return [{ ...field, kind: 'url' }]
    return button.type === 'COPY_CODE' ? [{ ...field, kind: 'copy_code' }] : []
  })
}

/** Ids of the fields that are still empty, or no number where one is wanted. */
export function missingIn(fields: readonly TemplateField[], given: Given): string[] {
  return fields.filter((field) => !isGiven(field, given)).map(({ id }) => id)
}

function isGiven(field: TemplateField, { texts, media }: Given): boolean {
  if (field.part === 'media') return media !== null && media.suggested_type.toUpperCase() === field.format
  const text = texts[field.id]?.trim() ?? ''
  if (field.part === 'location' && (field.name === 'latitude' || field.name === 'longitude'))
    return text !== '' && Number.isFinite(Number(text))
  return text !== ''
}

/** What the preview shows. */
export function previewValues(fields: readonly TemplateField[], { texts, media }: Given): TemplateValues {
  const of = (part: 'header' | 'body') =>
    Object.fromEntries(fields.flatMap((field) => (field.part === part ? [[field.name, texts[field.id] ?? '']] : [])))
  const buttons = Object.fromEntries(
    fields.flatMap((field) => (field.part === 'button' && texts[field.id] ? [[field.index, texts[field.id] ?? '']] : [])),
  )
  return {
    header: of('header'),
    body: of('body'),
    buttons,
    media: media === null ? null : { url: media.url, name: media.file_name ?? media.id },
  }
}

/** The body's words as the person reads them. */
export function bodyText({ components }: Pick<Template, 'components'>, fields: readonly TemplateField[], given: Given): string {
  return fillIn(readTemplate(components).body, previewValues(fields, given).body)
}

/** `template.components` of a send, in the upstream platform's format; null where nothing is to be filled in. */
export function componentsOf(
  template: Pick<Template, 'components' | 'parameter_format' | 'category'>,
  given: Given,
): TemplateComponent[] | null {
  const fields = fieldsOf(template)
  const isNamed = template.parameter_format === 'NAMED'
  const value = (id: string) => given.texts[id]?.trim() ?? ''
  const parameters = (part: 'header' | 'body') =>
    fields.flatMap((field) =>
      field.part === part ? [{ type: 'text', ...(isNamed ? { parameter_name: field.name } : {}), text: value(field.id) }] : [],
    )
  const header = [...parameters('header'), ...headerParameters(fields, given, value)]
  const body = parameters('body')
  const components: TemplateComponent[] = [
    ...(header.length === 0 ? [] : [{ type: 'header', parameters: header }]),
    ...(body.length === 0 ? [] : [{ type: 'body', parameters: body }]),
    ...readTemplate(template.components).buttons.flatMap((button, index): TemplateComponent[] => {
      const parameter = buttonParameter(button, value(`button.${index}`), template.category === 'AUTHENTICATION' ? value('body.1') : '')
      return parameter === null
        ? []
        : [{ type: 'button', sub_type: parameter.subType, index: String(index), parameters: [parameter.parameter] }]
    }),
  ]
  return components.length === 0 ? null : components
}

function headerParameters(fields: readonly TemplateField[], { media }: Given, value: (id: string) => string): TemplateComponent[] {
  const [field] = fields
  if (field?.part === 'location') {
    const location = {
      latitude: value('location.latitude'),
      longitude: value('location.longitude'),
      name: value('location.name'),
      address: value('location.address'),
    }
    return [{ type: 'location', location }]
  }
  if (field?.part !== 'media' || media === null) return []
  const type = field.format.toLowerCase()
  const named = field.format === 'DOCUMENT' && media.file_name !== null ? { filename: media.file_name } : {}
  return [{ type, [type]: { link: media.url, ...named } }]
}

function buttonParameter(
  { type, url }: TemplateParts['buttons'][number],
  given: string,
  code: string,
): { subType: string; parameter: TemplateComponent } | null {
  if (type === 'OTP' || (type === 'URL' && code !== '' && given === '')) return { subType: 'url', parameter: { type: 'text', text: code } }
  if (type === 'URL' && variablesIn(url).length > 0) return { subType: 'url', parameter: { type: 'text', text: given } }
  if (type === 'COPY_CODE') return { subType: 'copy_code', parameter: { type: 'coupon_code', coupon_code: given } }
  if (type === 'FLOW') return { subType: 'flow', parameter: { type: 'action', action: {} } }
  return null
}

type Examples = { header: Readonly<Record<string, string>>; body: Readonly<Record<string, string>> }

/** The examples that the template was reviewed with, by the names or places of its variables. */
function examplesOf(components: readonly TemplateComponent[]): Examples {
  const exampleOf = (type: string) =>
    (components.find((each) => String(each.type).toUpperCase() === type)?.example ?? {}) as Readonly<Record<string, unknown>>
  const [header, body] = [exampleOf('HEADER'), exampleOf('BODY')]
  const [first] = listOf(body.body_text)
  return {
    header: byName(listOf(header.header_text_named_params), listOf(header.header_text)),
    body: byName(listOf(body.body_text_named_params), listOf(first)),
  }
}

function byName(named: readonly unknown[], positional: readonly unknown[]): Record<string, string> {
  const pairs = named.flatMap((each) => {
    const { param_name, example } = (each ?? {}) as { param_name?: unknown; example?: unknown }
    return typeof param_name === 'string' && typeof example === 'string' ? [[param_name, example] as const] : []
  })
  return Object.fromEntries([...positional.map((each, i) => [String(i + 1), String(each)] as const), ...pairs])
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
