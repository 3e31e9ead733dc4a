import { type GraphError, parameterError } from './graph-error.ts'
import type { Template } from './templates.ts'

const DEFAULT_FIELDS = ['name', 'parameter_format', 'components', 'language', 'status', 'category']

/** The asked fields of a template, always with its id. `asked` is the comma-separated list of the query, or null for the default ones. */
export function templateFields(template: Template, asked: string | null): { [key: string]: unknown } | GraphError {
  const names = asked === null || asked === '' ? DEFAULT_FIELDS : asked.split(',').map((name) => name.trim())
  const all = allFields(template)
  const unknown = names.find((name) => name !== 'id' && !Object.hasOwn(all, name))
  if (unknown !== undefined) return parameterError(`Tried accessing nonexisting field (${unknown}) on node type (MessageTemplate)`)
  // What a template does not have is left out, not told as null.
  const told = names.filter((name) => name !== 'id' && all[name] !== null).map((name) => [name, all[name]])
  return { ...Object.fromEntries(told), id: template.id }
}

function allFields(template: Template): { [name: string]: unknown } {
  return {
    name: template.name,
    language: template.language,
    status: template.status,
    category: template.category,
    sub_category: template.subCategory,
    previous_category: template.previousCategory,
    correct_category: null,
    parameter_format: template.parameterFormat,
    quality_score: { score: template.qualityScore, date: 1_790_000_000 },
    rejected_reason: template.rejectedReason,
    message_send_ttl_seconds: template.sendTtlSeconds,
    components: template.components,
  }
}
