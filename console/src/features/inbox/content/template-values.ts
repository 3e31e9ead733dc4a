import { listAt, textAt } from './parts.ts'

type Values = Readonly<Record<string, string>>

/** What the places of a template's header and body were filled with, by their number or name. */
export function valuesOf(content: unknown): { header: Values; body: Values } {
  const of = (type: string): Values => {
    const component = listAt(content, 'components').find((each) => textAt(each, 'type')?.toLowerCase() === type)
    return Object.fromEntries(
      listAt(component, 'parameters').map((parameter, i) => [
        textAt(parameter, 'parameter_name') ?? String(i + 1),
        textAt(parameter, 'text') ??
          textAt(parameter, 'currency', 'fallback_value') ??
          textAt(parameter, 'date_time', 'fallback_value') ??
          '…',
      ]),
    )
  }
  return { header: of('header'), body: of('body') }
}
