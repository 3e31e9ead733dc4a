import type { JsonObject } from './json-value.ts'
import type { Random } from './random.ts'

export type TemplateCategory = 'AUTHENTICATION' | 'MARKETING' | 'UTILITY'

/** What may be said about a template that is put in place. Whatever is left out is that of an approved one of no special kind. */
export type TemplateOptions = {
  name: string
  language: string
  category?: TemplateCategory
  /** How many the body takes, where no `components` are given. */
  bodyParameters?: number
  components?: readonly JsonObject[]
  parameterFormat?: 'POSITIONAL' | 'NAMED'
  /** Only an APPROVED one can be sent. */
  status?: string
} & Partial<TemplateDetails>

type TemplateDetails = {
  subCategory: string | null
  previousCategory: string | null
  qualityScore: string
  rejectedReason: string
  sendTtlSeconds: number | null
}

/** A template in one language. */
export type Template = Readonly<Required<Omit<TemplateOptions, 'bodyParameters'>>> & {
  /** 16 digits, below 2^53. */
  readonly id: string
  readonly wabaId: string
  /** Its place in lists; later ones have higher places. */
  readonly place: number
}

/** What of a template can change. */
export type TemplateChange = Partial<
  Pick<Template, 'status' | 'category' | 'components' | 'qualityScore' | 'rejectedReason' | 'previousCategory'>
>

/** Finds a template by its exact name and language code, or null. */
export type TemplateLookup = (name: string, language: string) => Template | null

/** The templates of every WABA. */
export type TemplateShelf = {
  lookup(wabaId: string): TemplateLookup
  byId(id: string): Template | null
  /** Oldest first. */
  ofWaba(wabaId: string): readonly Template[]
  /** Adds a template, or replaces the one with the same name and language. */
  add(wabaId: string, options: TemplateOptions): Template
  change(id: string, change: TemplateChange): Template | null
  /** Takes it away. The name of an approved one stays blocked for 30 days. */
  remove(template: Template, nowMs: number): void
  nameIsBlocked(wabaId: string, name: string, nowMs: number): boolean
}

const NAME_BLOCKED_MS = 30 * 24 * 3_600_000

/** A shelf on which every WABA finds these from the start; of two with one name and language the later one counts. */
export function createTemplateShelf(random: Random, everywhere: readonly TemplateOptions[]): TemplateShelf {
  const wabas = new Map<string, Map<string, Template>>()
  const ids = new Map<string, Template>()
  const blocked = new Map<string, number>()
  // Below 2^53, because notices carry the id as a number.
  const firstId = 1_000_000_000_000_000 + random.below(8_000_000) * 1_000_000_000
  let made = 0

  const put = (template: Template) => {
    const ofWaba = wabas.get(template.wabaId) ?? new Map<string, Template>()
    ofWaba.set(keyOf(template.name, template.language), template)
    ids.set(template.id, template)
    wabas.set(template.wabaId, ofWaba)
    return template
  }
  const make = (wabaId: string, options: TemplateOptions) => {
    const old = wabas.get(wabaId)?.get(keyOf(options.name, options.language))
    if (old !== undefined) ids.delete(old.id)
    made += 1
    return put({ ...templateOf(options), id: String(firstId + made * 7), wabaId, place: made })
  }
  const seeded = (wabaId: string) => {
    if (!wabas.has(wabaId)) for (const options of everywhere) make(wabaId, options)
    return wabas.get(wabaId) ?? new Map<string, Template>()
  }
  return {
    lookup: (wabaId) => (name, language) => seeded(wabaId).get(keyOf(name, language)) ?? null,
    byId: (id) => ids.get(id) ?? null,
    ofWaba: (wabaId) => [...seeded(wabaId).values()].sort((a, b) => a.place - b.place),
    add: (wabaId, options) => {
      seeded(wabaId)
      return make(wabaId, options)
    },
    change: (id, change) => {
      const template = ids.get(id)
      return template === undefined ? null : put({ ...template, ...change })
    },
    remove: (template, nowMs) => {
      wabas.get(template.wabaId)?.delete(keyOf(template.name, template.language))
      ids.delete(template.id)
      if (template.status === 'APPROVED') blocked.set(keyOf(template.wabaId, template.name), nowMs + NAME_BLOCKED_MS)
    },
    nameIsBlocked: (wabaId, name, nowMs) => (blocked.get(keyOf(wabaId, name)) ?? 0) > nowMs,
  }
}

const keyOf = (first: string, second: string) => `${first} ${second}`

function templateOf(options: TemplateOptions): Omit<Template, 'id' | 'wabaId' | 'place'> {
  const { bodyParameters = 0, ...rest } = options
  return {
    category: 'UTILITY',
    status: 'APPROVED',
    parameterFormat: 'POSITIONAL',
    components: plainComponents(bodyParameters),
    subCategory: null,
    previousCategory: null,
    qualityScore: 'UNKNOWN',
    rejectedReason: 'NONE',
    sendTtlSeconds: null,
    ...rest,
  }
}

/** A body that takes so many parameters. */
function plainComponents(parameters: number): readonly JsonObject[] {
  const numbers = Array.from({ length: parameters }, (_, i) => i + 1)
  if (numbers.length === 0) return [{ type: 'BODY', text: 'Hello World' }]
  const text = `Hello ${numbers.map((n) => `{{${n}}}`).join(' and ')}, this is for you.`
  return [{ type: 'BODY', text, example: { body_text: [numbers.map((n) => `Example ${n}`)] } }]
}
