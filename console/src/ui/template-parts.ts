/** A component of a template as the contract has it: `{ type: 'BODY', text: … }`, in the upstream platform's format. */
export type TemplateComponent = { [field: string]: unknown }

export type HeaderFormat = 'TEXT' | 'IMAGE' | 'VIDEO' | 'GIF' | 'DOCUMENT' | 'LOCATION'
export type TemplateButton = {
  /** QUICK_REPLY, URL, PHONE_NUMBER, COPY_CODE, OTP, FLOW …; more may come. */
  type: string
  text: string
  /** Of a URL button: the address, with a variable at its end when the suffix comes with each send. */
  url: string | null
}

/** What a template is made of, with the variables still in its texts. */
export type TemplateParts = {
  header: { format: HeaderFormat; text: string } | null
  body: string
  footer: string | null
  buttons: readonly TemplateButton[]
  /** The pictures that stand side by side below the body, each with words and buttons of its own. */
  cards: readonly TemplateParts[]
}

/** What stands for the variables: by their names (`1`, `2`, or words), and of buttons by their place. What is missing or empty is shown as a gap. */
export type TemplateValues = {
  header?: Readonly<Record<string, string>>
  body?: Readonly<Record<string, string>>
  buttons?: Readonly<Record<number, string>>
  /** The header's file: an address that the page may show, and its name. */
  media?: { url: string; name: string } | null
}

/** Reads a contract Template's `components`. Whatever has another shape is left out: upstream may add kinds. */
export function readTemplate(components: readonly TemplateComponent[]): TemplateParts {
  const header = componentOf(components, 'HEADER')
  const footer = componentOf(components, 'FOOTER')
  const format = textOf(header?.format).toUpperCase() || 'TEXT'
  return {
    header: header === null ? null : { format: format as HeaderFormat, text: textOf(header.text) },
    body: textOf(componentOf(components, 'BODY')?.text),
    footer: textOf(footer?.text) || null,
    buttons: objectsIn(componentOf(components, 'BUTTONS')?.buttons).map((each) => ({
      type: textOf(each.type).toUpperCase(),
      text: textOf(each.text),
      url: textOf(each.url) || null,
    })),
    cards: objectsIn(componentOf(components, 'CAROUSEL')?.cards).map((each) => readTemplate(objectsIn(each.components))),
  }
}

const variable = /\{\{\s*([^{}\s]+)\s*\}\}/
const apart = /(\{\{\s*[^{}\s]+\s*\}\})/

/** The names of a text's variables, each once, in order: `1`, `2`, or words. */
export function variablesIn(text: string | null): string[] {
  return [...new Set([...(text ?? '').matchAll(new RegExp(variable, 'g'))].map(([, name = '']) => name))]
}

/** A text cut at its variables. */
export function piecesOf(text: string): { text: string; variable: string | null }[] {
  return text
    .split(apart)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece, variable: variable.exec(piece)?.[1] ?? null }))
}

/** A text with its variables filled in; those without a value stay as they are. */
export function fillIn(text: string, values: Readonly<Record<string, string>> = {}): string {
  return piecesOf(text)
    .map((piece) => (piece.variable === null ? piece.text : values[piece.variable] || piece.text))
    .join('')
}

function componentOf(components: readonly TemplateComponent[], type: string): TemplateComponent | null {
  return components.find((each) => textOf(each.type).toUpperCase() === type) ?? null
}

function objectsIn(value: unknown): TemplateComponent[] {
  return Array.isArray(value) ? value.filter((each: unknown): each is TemplateComponent => typeof each === 'object' && each !== null) : []
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
