import { componentsRefusal } from './check-components.ts'
import { type GraphError, parameterError, templateError } from './graph-error.ts'
import { isFilled, isObject, type JsonObject } from './json-value.ts'
import { formatOf, listOf } from './template-variables.ts'
import type { TemplateCategory, TemplateOptions } from './templates.ts'

const CATEGORIES: readonly string[] = ['AUTHENTICATION', 'MARKETING', 'UTILITY']
const NAME_CHARACTERS_MAX = 512
const FORMATS: readonly string[] = ['POSITIONAL', 'NAMED']

/** The template that a body asks for, or how the platform refuses it: the first fault found. Names that are taken are not looked at here. */
export function checkTemplate(body: unknown): TemplateOptions | GraphError {
  if (!isObject(body)) return parameterError('The body is not a JSON object.')
  const refusal = headRefusal(body) ?? componentsRefusal(body)
  if (refusal !== null) return refusal
  const ttl = body.message_send_ttl_seconds
  return {
    name: String(body.name),
    language: String(body.language),
    category: String(body.category) as TemplateCategory, // headRefusal has compared it
    parameterFormat: formatOf(body) === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: listOf(body.components),
    subCategory: isFilled(body.sub_category) ? body.sub_category : null,
    sendTtlSeconds: typeof ttl === 'number' ? ttl : null,
  }
}

function headRefusal(body: JsonObject): GraphError | null {
  if (!isFilled(body.name)) return parameterError('The parameter name is required.')
  if (body.name.length > NAME_CHARACTERS_MAX || !/^[a-z0-9_]+$/.test(body.name)) return nameError
  if (!isFilled(body.language)) return parameterError('The parameter language is required.')
  if (!/^[a-z]{2,3}(_[A-Z]{2,3})?$/.test(body.language)) return parameterError('Param language must be one of the supported codes.')
  if (!CATEGORIES.includes(String(body.category))) return parameterError(`Param category must be one of {${CATEGORIES.join(', ')}}.`)
  if (!FORMATS.includes(formatOf(body))) return parameterError('Param parameter_format must be one of {POSITIONAL, NAMED}.')
  return null
}

const nameError = templateError(
  2388040,
  'Nome do modelo inválido',
  'O nome do modelo só pode ter letras minúsculas, números e sublinhados, e no máximo 512 caracteres.',
)
