/** One call of an operation: what its samples show. */
export type SampleCall = {
  method: string
  /** The whole address, with examples in place of the parts of the path. */
  url: string
  /** Left out: none. */
  body?: unknown
  /** A form with a file in place of a body. */
  isUpload: boolean
}

/** The same call for curl, JavaScript and Python, as `x-codeSamples` of an operation. */
export function codeSamples(call: SampleCall): { lang: string; label: string; source: string }[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    { lang: 'JavaScript', label: 'fetch', source: javaScript(call) },
    { lang: 'Python', label: 'requests', source: python(call) },
  ]
}

const sampleFile = 'nota-4711.pdf'
const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const hasBody = ({ body }: SampleCall) => body !== undefined

function curl(call: SampleCall): string {
  const { method, url, body, isUpload } = call
  const name = method === 'GET' || (method === 'POST' && (hasBody(call) || isUpload)) ? '' : ` -X ${method}`
  const parts = [`curl${name} ${url}`, `-H "Authorization: Bearer $API_KEY"`]
  if (isUpload) parts.push(`-F file=@${sampleFile}`)
  // A quote ends the text for a shell: it is written outside of it.
  else if (hasBody(call)) parts.push(`-H 'Content-Type: application/json'`, `-d '${pretty(body).replaceAll("'", `'\\''`)}'`)
  return parts.join(' \\\n  ')
}

function javaScript(call: SampleCall): string {
  const { method, url, body, isUpload } = call
  const json = hasBody(call) ? ", 'Content-Type': 'application/json'" : ''
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `headers: { Authorization: \`Bearer \${process.env.API_KEY}\`${json} }`,
    ...(isUpload ? ['body: form'] : hasBody(call) ? [`body: JSON.stringify(${pretty(body).replaceAll('\n', '\n  ')})`] : []),
  ]
  const form = `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.append('file', await openAsBlob('${sampleFile}'), '${sampleFile}')
`
  return `${isUpload ? form : ''}const answer = await fetch('${url}', {\n  ${options.join(',\n  ')},\n})\nconsole.log(answer.status, await answer.json())`
}

function python(call: SampleCall): string {
  const { method, url, body, isUpload } = call
  const fields = [
    `'${url}'`,
    `headers={'Authorization': f"Bearer {os.environ['API_KEY']}"}`,
    ...(isUpload ? [`files={'file': open('${sampleFile}', 'rb')}`] : hasBody(call) ? [`json=${pythonOf(body, '    ')}`] : []),
  ]
  return `import os\nimport requests\n\nanswer = requests.${method.toLowerCase()}(\n    ${fields.join(',\n    ')},\n)\nprint(answer.status_code, answer.json())`
}

/** A value as Python writes it: JSON but for three words. */
function pythonOf(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const within = `${indent}    `
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((each) => pythonOf(each, within))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${pythonOf(each, within)}`)
  const [open, close] = isList ? '[]' : '{}'
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.map((each) => `${within}${each},\n`).join('')}${indent}${close}`
}
