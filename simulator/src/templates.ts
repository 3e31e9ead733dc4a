/** A template as far as sends need it. `bodyParameters` is how many the body takes; a status other than APPROVED cannot be sent. */
export type TemplateOptions = {
  name: string
  language: string
  category?: 'AUTHENTICATION' | 'MARKETING' | 'UTILITY'
  bodyParameters?: number
  status?: 'APPROVED' | 'PAUSED' | 'DISABLED' | 'PENDING' | 'REJECTED'
}

/** A template with everything filled in. */
export type Template = Required<TemplateOptions>

/** Finds a template by its exact name and language code, or null. */
export type TemplateLookup = (name: string, language: string) => Template | null

/** The given templates come before the ones that are always there. */
export function createTemplates(given: readonly TemplateOptions[]): TemplateLookup {
  const byKey = new Map<string, Template>()
  for (const options of [...ALWAYS_THERE, ...given]) {
    const template: Template = { category: 'UTILITY', bodyParameters: 0, status: 'APPROVED', ...options }
    byKey.set(`${template.name} ${template.language}`, template)
  }
  return (name, language) => byKey.get(`${name} ${language}`) ?? null
}

const ALWAYS_THERE: readonly TemplateOptions[] = [
  { name: 'hello_world', language: 'en_US' },
  { name: 'order_update', language: 'en_US', bodyParameters: 2 },
  { name: 'order_update', language: 'pt_BR', bodyParameters: 2 },
  { name: 'spring_sale', language: 'en_US', category: 'MARKETING', bodyParameters: 1 },
  { name: 'login_code', language: 'en_US', category: 'AUTHENTICATION', bodyParameters: 1 },
]
