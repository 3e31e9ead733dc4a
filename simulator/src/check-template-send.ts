import { type GraphError, graphError, parameterError } from './graph-error.ts'
import { isFilled, type JsonObject } from './json-value.ts'
import { componentOf, listOf, variablesIn } from './template-variables.ts'
import type { Template } from './templates.ts'

/** Says why the platform would not send this template with what was given for it, or null when it would. */
export function templateSendRefusal(template: Template, asked: JsonObject): GraphError | null {
  if (template.status === 'PAUSED') return graphError(132015)
  if (template.status === 'DISABLED') return graphError(132016)
  return headerRefusal(template, asked) ?? bodyRefusal(template, asked) ?? buttonRefusal(template, asked)
}

function headerRefusal({ components }: Template, asked: JsonObject): GraphError | null {
  const header = componentOf(components, 'HEADER')
  const format = String(header?.format ?? 'TEXT').toUpperCase()
  const given = parametersOf(asked, 'HEADER')
  if (format === 'TEXT') return countRefusal('header', given.length, variablesIn(header?.text).length)
  // Its media must come with every send: the example that was reviewed is never sent.
  const type = String(given[0]?.type ?? 'unknown').toUpperCase()
  return type === format ? null : graphError(132012, `header: Format mismatch, expected ${format}, received ${type}`)
}

function bodyRefusal(template: Template, asked: JsonObject): GraphError | null {
  const wanted = variablesIn(componentOf(template.components, 'BODY')?.text)
  const given = parametersOf(asked, 'BODY')
  const count = countRefusal('body', given.length, wanted.length)
  if (count !== null || template.parameterFormat === 'POSITIONAL') return count
  if (given.some((each) => !isFilled(each.parameter_name))) return parameterError('Parameter name is missing or empty')
  const strange = given.find((each) => !wanted.includes(String(each.parameter_name)))
  return strange === undefined ? null : graphError(132018, `body: there is no parameter ${String(strange.parameter_name)}`)
}

/** The platform wants the suffix of each address that has a variable. */
function buttonRefusal({ components, category }: Template, asked: JsonObject): GraphError | null {
  if (category === 'AUTHENTICATION') return null
  const buttons = listOf(componentOf(components, 'BUTTONS')?.buttons)
  const missing = buttons.findIndex((button, i) => variablesIn(button.url).length > 0 && !hasButton(asked, i))
  return missing < 0 ? null : graphError(131008, `buttons: Button at index ${missing} of type Url requires a parameter`)
}

function hasButton(asked: JsonObject, index: number): boolean {
  return listOf(asked.components).some(
    (each) => String(each.type).toUpperCase() === 'BUTTON' && Number(each.index) === index && listOf(each.parameters).length > 0,
  )
}

function countRefusal(part: string, given: number, wanted: number): GraphError | null {
  if (given === wanted) return null
  return graphError(132000, `${part}: number of localizable_params (${given}) does not match the expected number of params (${wanted})`)
}

const parametersOf = (asked: JsonObject, type: string) => listOf(componentOf(asked.components, type)?.parameters)
