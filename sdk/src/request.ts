/** What a call brings: the parts of its operation, as the contract has them. */
export type Parts = {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  form?: FormData
}

export type PreparedRequest = { url: string; method: string; headers: Headers; body: string | FormData | null }

/** The HTTP request of an operation such as `GET /messages/{id}`. */
export function requestOf(baseUrl: string, operation: string, parts: Parts): PreparedRequest {
  const [method = '', template = ''] = operation.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, parts.path?.[name]))
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts.query ?? {})) if (value !== undefined) query.append(name, String(value))
  const search = query.size === 0 ? '' : `?${query}`
  // A form's content type names its boundary, which only `fetch` knows.
  if (parts.form !== undefined) return { url: `${baseUrl}${path}${search}`, method, headers: new Headers(), body: parts.form }
  const hasBody = parts.body !== undefined
  const headers = new Headers(hasBody ? { 'Content-Type': 'application/json' } : {})
  return { url: `${baseUrl}${path}${search}`, method, headers, body: hasBody ? JSON.stringify(parts.body) : null }
}

/** An empty segment or one of dots would lead to another operation. */
function segment(name: string, value: string | undefined): string {
  if (value === undefined || /^\.{0,2}$/.test(value)) throw new TypeError(`"${value ?? ''}" cannot be the ${name} of a call.`)
  return encodeURIComponent(value)
}

/** The address without a slash at its end. Throws when it cannot be the one of a gateway. */
export function checkedBaseUrl(baseUrl: string): string {
  const trimmed = baseUrl.replace(/\/+$/, '')
  if (!URL.canParse(trimmed) || !/^https?:\/\/.+\/v1$/.test(trimmed))
    throw new TypeError(`baseUrl is the gateway's address and ends in /v1, as in https://gateway.example/v1; it is "${baseUrl}".`)
  return trimmed
}
