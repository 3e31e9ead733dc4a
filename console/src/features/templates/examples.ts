import { type TemplateComponent, type TemplateValues, variablesIn } from '../../ui/template-parts.ts'

/** The values that a template was submitted with as examples, for its preview. */
export function examplesOf(components: readonly TemplateComponent[]): TemplateValues {
  const of = (type: string) => components.find((each) => each.type === type)
  return { header: valuesOf(of('HEADER'), 'header_text'), body: valuesOf(of('BODY'), 'body_text') }
}

function valuesOf(component: TemplateComponent | undefined, field: 'header_text' | 'body_text'): Record<string, string> {
  const example = (component?.example ?? {}) as Record<string, unknown>
  const named = example[`${field}_named_params`]
  if (Array.isArray(named))
    return Object.fromEntries(
      (named as { param_name?: unknown; example?: unknown }[]).map((each) => [String(each.param_name), String(each.example ?? '')]),
    )
  const given = example[field]
  const values: unknown[] = Array.isArray(given) ? (Array.isArray(given[0]) ? given[0] : given) : []
  const variables = variablesIn(typeof component?.text === 'string' ? component.text : null)
  return Object.fromEntries(variables.map((name, i) => [name, typeof values[i] === 'string' ? values[i] : '']))
}
