import { type GraphError, parameterError, templateError } from './graph-error.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'
import { componentOf, formatOf, listOf, variablesIn } from './template-variables.ts'

const BODY_CHARACTERS_MAX = 1024
const LINE_CHARACTERS_MAX = 60
const BUTTONS_MAX = 10
const BUTTON_CHARACTERS_MAX = 25
const MEDIA: readonly string[] = ['IMAGE', 'VIDEO', 'GIF', 'DOCUMENT']

/** Why the platform would not take the components of a new template, or null. */
export function componentsRefusal(body: JsonObject): GraphError | null {
  const components: unknown = body.components
  if (!Array.isArray(components) || components.length === 0) return parameterError('The parameter components is required.')
  const strange = components.findIndex((each) => !isObject(each) || !isFilled(each.type))
  if (strange >= 0) return parameterError(`Param components[${strange}] must be a JSON object with a type.`)
  const types = listOf(components).map((each) => String(each.type).toUpperCase())
  const twice = types.find((type, i) => types.indexOf(type) !== i)
  if (twice !== undefined) return wrong(2388072, 'Modelo inválido', `O modelo tem mais de um componente do tipo ${twice}.`)
  return headerRefusal(components, formatOf(body)) ?? bodyRefusal(body) ?? footerRefusal(components) ?? buttonsRefusal(components)
}

function headerRefusal(components: unknown, format: string): GraphError | null {
  const header = componentOf(components, 'HEADER')
  if (header === null) return null
  const kind = String(header.format ?? '').toUpperCase()
  const example = isObject(header.example) ? header.example : {}
  if (MEDIA.includes(kind)) return Array.isArray(example.header_handle) ? null : expected('HEADER', 'example')
  if (kind !== 'TEXT') return null
  if (!isFilled(header.text)) return expected('HEADER', 'text')
  if (header.text.length > LINE_CHARACTERS_MAX) return tooLong('HEADER', LINE_CHARACTERS_MAX)
  const variables = variablesIn(header.text)
  if (variables.length > 1) return wrong(2388047, 'Cabeçalho inválido', 'O cabeçalho aceita uma única variável.')
  const examples = format === 'NAMED' ? example.header_text_named_params : example.header_text
  return variables.length === 0 || Array.isArray(examples) ? null : expected('HEADER', 'example')
}

function bodyRefusal(template: JsonObject): GraphError | null {
  const body = componentOf(template.components, 'BODY')
  if (body === null) return wrong(2388072, 'Falta o corpo do modelo', 'Todo modelo precisa de um componente do tipo BODY.')
  // The platform words the body of a code itself.
  if (template.category === 'AUTHENTICATION' && body.text === undefined) return null
  if (!isFilled(body.text)) return expected('BODY', 'text')
  if (body.text.length > BODY_CHARACTERS_MAX) return tooLong('BODY', BODY_CHARACTERS_MAX)
  const variables = variablesIn(body.text)
  if (variables.length === 0) return null
  return variableRefusal(body.text, variables, formatOf(template)) ?? exampleRefusal(body, variables.length, formatOf(template))
}

function variableRefusal(text: string, variables: readonly string[], format: string): GraphError | null {
  const numbered = variables.every((name, i) => name === String(i + 1))
  const named = variables.every((name) => /^[a-z][a-z0-9_]*$/.test(name))
  if (format === 'NAMED' ? !named : !numbered) {
    const words = format === 'NAMED' ? 'nomes em letras minúsculas' : 'números a partir de {{1}}; nomes exigem parameter_format'
    return wrong(2388072, 'Variáveis inválidas', `As variáveis do corpo devem ser ${words}.`)
  }
  const trimmed = text.trim()
  if (!/^\{\{[^{}]*\}\}/.test(trimmed) && !/\{\{[^{}]*\}\}$/.test(trimmed)) return null
  return wrong(2388299, 'Variável no início ou no fim', 'Uma variável não pode estar no início nem no fim do modelo.')
}

function exampleRefusal(body: JsonObject, variables: number, format: string): GraphError | null {
  const example = isObject(body.example) ? body.example : {}
  const given = format === 'NAMED' ? example.body_text_named_params : example.body_text
  if (!Array.isArray(given)) return expected('BODY', 'example')
  const first: unknown = given[0]
  const count = format === 'NAMED' ? given.length : Array.isArray(first) ? first.length : 0
  return count === variables ? null : expected('BODY', 'example')
}

function footerRefusal(components: unknown): GraphError | null {
  const footer = componentOf(components, 'FOOTER')
  if (footer === null || footer.text === undefined) return null
  if (!isFilled(footer.text)) return expected('FOOTER', 'text')
  if (footer.text.length > LINE_CHARACTERS_MAX) return tooLong('FOOTER', LINE_CHARACTERS_MAX)
  if (variablesIn(footer.text).length === 0) return null
  return wrong(2388073, 'Rodapé inválido', 'O rodapé não aceita variáveis.')
}

function buttonsRefusal(components: unknown): GraphError | null {
  const row = componentOf(components, 'BUTTONS')
  if (row === null) return null
  const buttons = listOf(row.buttons)
  if (buttons.length === 0) return expected('BUTTONS', 'buttons')
  if (buttons.length > BUTTONS_MAX) return tooMany(`no máximo ${BUTTONS_MAX} botões`)
  const types = buttons.map((each) => String(each.type).toUpperCase())
  for (const [type, max] of BUTTON_COUNTS)
    if (types.filter((each) => each === type).length > max) return tooMany(`${max} botão do tipo ${type}`)
  const long = buttons.some((each) => isFilled(each.text) && each.text.length > BUTTON_CHARACTERS_MAX)
  if (long) return tooLong('BUTTONS', BUTTON_CHARACTERS_MAX)
  const replies = types.map((type) => type === 'QUICK_REPLY')
  const changes = replies.filter((reply, i) => i > 0 && reply !== replies[i - 1]).length
  return changes <= 1 ? null : tooMany('as respostas rápidas juntas')
}

const BUTTON_COUNTS: readonly (readonly [string, number])[] = [
  ['URL', 2],
  ['PHONE_NUMBER', 1],
  ['COPY_CODE', 1],
]

const wrong = templateError

const tooLong = (component: string, max: number) =>
  wrong(2388040, 'O campo excede o limite de caracteres', `O componente ${component} aceita no máximo ${max} caracteres.`)

const tooMany = (words: string) => wrong(2388072, 'Botões inválidos', `O modelo aceita ${words}.`)

const expected = (component: string, field: string) =>
  wrong(2388043, 'Faltam campos no modelo', `O componente ${component} está sem os campos esperados (${field}).`)
