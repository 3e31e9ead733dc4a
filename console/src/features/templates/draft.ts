import { type TemplateComponent, variablesIn } from '../../ui/template-parts.ts'

export const headerFormats = ['NONE', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION'] as const
export const buttonTypes = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'] as const

export type DraftButton = {
  key: number
  type: (typeof buttonTypes)[number]
  text: string
  /** Of a URL button its address, of the others the phone or the example of the code. */
  value: string
  /** Of a URL that ends in a variable: an address in full. */
  example: string
}

/** A template as it is being written. Examples are by the names of the variables. */
export type Draft = {
  name: string
  language: string
  category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION'
  header: { format: (typeof headerFormats)[number]; text: string; handle: string }
  headerExamples: Readonly<Record<string, string>>
  body: string
  bodyExamples: Readonly<Record<string, string>>
  footer: string
  buttons: readonly DraftButton[]
  /** Of codes, whose words are the platform's. */
  code: { warns: boolean; minutes: string; button: string }
}

export const emptyDraft: Draft = {
  name: '',
  language: 'pt_BR',
  category: 'UTILITY',
  header: { format: 'NONE', text: '', handle: '' },
  headerExamples: {},
  body: '',
  bodyExamples: {},
  footer: '',
  buttons: [],
  code: { warns: true, minutes: '10', button: '' },
}

/** What is submitted. Nothing is judged here: the gateway and the platform do that. */
export function bodyOf(draft: Draft) {
  const { name, language, category } = draft
  return { name, language, category, parameter_format: isNamed(draft) ? 'NAMED' : 'POSITIONAL', components: componentsOf(draft) }
}

const isNamed = (draft: Draft) => [...variablesIn(draft.header.text), ...variablesIn(draft.body)].some((name) => !/^\d+$/.test(name))

export function componentsOf(draft: Draft): TemplateComponent[] {
  if (draft.category === 'AUTHENTICATION') return codeComponents(draft.code)
  const { footer, buttons } = draft
  return [
    ...headerComponents(draft),
    { type: 'BODY', text: draft.body, ...exampleOf('body_text', draft.body, draft.bodyExamples, isNamed(draft)) },
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: buttons.map(buttonOf) }]),
  ]
}

function codeComponents({ warns, minutes, button }: Draft['code']): TemplateComponent[] {
  return [
    { type: 'BODY', add_security_recommendation: warns },
    ...(minutes === '' ? [] : [{ type: 'FOOTER', code_expiration_minutes: Number(minutes) }]),
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', ...(button === '' ? {} : { text: button }) }] },
  ]
}

function headerComponents(draft: Draft): TemplateComponent[] {
  const { format, text, handle } = draft.header
  if (format === 'NONE') return []
  if (format === 'TEXT') return [{ type: 'HEADER', format, text, ...exampleOf('header_text', text, draft.headerExamples, isNamed(draft)) }]
  if (format === 'LOCATION') return [{ type: 'HEADER', format }]
  return [{ type: 'HEADER', format, ...(handle === '' ? {} : { example: { header_handle: [handle] } }) }]
}

function exampleOf(field: 'header_text' | 'body_text', text: string, examples: Readonly<Record<string, string>>, named: boolean) {
  const variables = variablesIn(text)
  if (variables.length === 0) return {}
  if (named)
    return { example: { [`${field}_named_params`]: variables.map((name) => ({ param_name: name, example: examples[name] ?? '' })) } }
  const values = variables.map((name) => examples[name] ?? '')
  return { example: { [field]: field === 'body_text' ? [values] : values } }
}

function buttonOf({ type, text, value, example }: DraftButton): object {
  switch (type) {
    case 'URL':
      return { type, text, url: value, ...(variablesIn(value).length === 0 ? {} : { example: [example] }) }
    case 'PHONE_NUMBER':
      return { type, text, phone_number: value }
    case 'COPY_CODE':
      return { type, example: value }
    default:
      return { type, text }
  }
}

/** The number that the next variable of a text gets. */
export function nextVariable(text: string): string {
  const numbers = variablesIn(text).map(Number).filter(Number.isInteger)
  return `{{${Math.max(0, ...numbers) + 1}}}`
}
