import { type Difference, differences } from './differences.ts'
import { isSchema, type OpenApi, type Schema } from './openapi.ts'
import type { Exchange } from './recorder.ts'

/** A difference as it is told and written down: `where` is an operation and a direction, `what` a pointer and a sentence. */
export type Finding = { where: string; what: string; labels: readonly string[] }

/** What came of comparing: what differs, how many bodies were compared, and the calls that the file or the simulator does not have. */
export type Verdict = { findings: Finding[]; compared: number; unknown: string[] }

/** The kinds of nodes that a call of one id alone may be about, by the name that the file has for their ids. */
export type NodeOf = (id: string) => '{Phone-Number-ID}' | '{Media-ID}' | '{WABA-ID}' | '{TEMPLATE_ID}'

/** Compares each exchange with the file, both directions. */
export function judge(api: OpenApi, exchanges: readonly Exchange[], nodeOf: NodeOf): Verdict {
  const found = new Map<string, { where: string; what: string; labels: Set<string> }>()
  const unknown = new Set<string>()
  let compared = 0
  const compare = (where: string, schema: Schema | null, value: unknown, label: string) => {
    if (schema === null || value === undefined) return
    compared += 1
    for (const { pointer, what } of differences(api, schema, value)) note(where, { pointer, what }, label)
  }
  const note = (where: string, { pointer, what }: Difference, label: string) => {
    const key = `${where} ${pointer} ${what}`
    const known = found.get(key) ?? { where, what: `${pointer} ${what}`, labels: new Set<string>() }
    known.labels.add(label)
    found.set(key, known)
  }
  for (const exchange of exchanges) {
    const path = pathOf(exchange.path, nodeOf)
    const operation = path === null ? null : api.operation(exchange.method, path)
    if (operation === null || isUnknownPath(exchange.answer)) {
      if (path !== null) unknown.add(`${exchange.method} ${path.split('/').at(-1)}`)
      continue
    }
    const receipt = isSchema(exchange.request) && exchange.request.status === 'read'
    const request = receipt
      ? api.schema('MarkMessageRequestPayload')
      : chosen(api, operation.request(exchange.requestType), exchange.request)
    const good = receipt ? api.schema('MarkMessageResponsePayload') : operation.answer(exchange.status)
    const answer = exchange.status < 400 ? good : (operation.answer(exchange.status) ?? api.schema('GraphAPIError'))
    const name = receipt ? `${operation.name} (receipt)` : operation.name
    // A request that was refused on purpose need not fit.
    if (exchange.status < 400) compare(`${name} request`, request, exchange.request, exchange.label)
    compare(`${name} ${exchange.status < 400 ? 'answer' : 'error'}`, answer, exchange.answer, exchange.label)
  }
  const findings = [...found.values()].map((each) => ({ ...each, labels: [...each.labels] }))
  return { findings: findings.sort((a, b) => (a.where + a.what).localeCompare(b.where + b.what)), compared, unknown: [...unknown].sort() }
}

/** The path as the file writes it; null for what is no call of the Graph API. */
function pathOf(path: string, nodeOf: NodeOf): string | null {
  const [, version, id, edge] = path.split('/')
  if (version === undefined || !/^v\d+\.\d+$/.test(version) || id === undefined) return null
  if (edge === undefined) return `/{Version}/${nodeOf(id)}`
  const ofWaba = ['phone_numbers', 'subscribed_apps', 'message_templates'].includes(edge)
  return `/{Version}/${ofWaba ? '{WABA-ID}' : '{Phone-Number-ID}'}/${edge}`
}

/** Where the file says which alternative a word chooses, that one alone is compared, which says more than the best of all. */
function chosen(api: OpenApi, schema: Schema | null, value: unknown): Schema | null {
  if (schema === null || !isSchema(value)) return schema
  const { discriminator } = api.resolve(schema)
  if (!isSchema(discriminator) || !isSchema(discriminator.mapping)) return schema
  const $ref = discriminator.mapping[String(value[String(discriminator.propertyName)])]
  return typeof $ref === 'string' ? { $ref } : schema
}

function isUnknownPath(answer: unknown): boolean {
  return isSchema(answer) && isSchema(answer.error) && answer.error.code === 2500
}
