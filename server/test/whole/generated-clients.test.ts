import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Two generators and a compiler, on a machine that does much else. */
const stepMsMax = 120_000

const contract = JSON.parse(await readFile(join(root, 'contract', 'openapi.json'), 'utf8'))
const sendKinds = Object.keys(contract.components.schemas.SendMessageRequest.discriminator.mapping)

const link = "link: 'https://loja.example/arquivo.bin'"
/** What a customer writes of each kind. */
const contents: Readonly<Record<string, string>> = {
  text: "{ body: 'Olá!' }",
  image: `{ ${link}, caption: 'A vitrine' }`,
  audio: `{ ${link}, voice: true }`,
  video: `{ ${link} }`,
  document: `{ ${link}, filename: 'Nota 4711.pdf' }`,
  sticker: `{ ${link} }`,
  location: "{ latitude: -23.5, longitude: -46.6, name: 'Padaria Aurora' }",
  contacts: "[{ name: { formatted_name: 'Ana Lima' } }]",
  interactive: "{ type: 'button', action: { buttons: [] } }",
  template: "{ name: 'pedido_enviado', language: 'pt_BR' }",
  reaction: "{ message_id: texts[0] ?? '', emoji: '👍' }",
}

const to = "to: '5511987654321'"
const sendEach = sendKinds.map((kind) => `await send({ ${to}, type: '${kind}', ${kind}: ${contents[kind]} })`).join('\n')
const mistakes = `async function mistakes(): Promise<void> {
  // @ts-expect-error There is no such kind.
  await send({ ${to}, type: 'smoke', smoke: {} })
  // @ts-expect-error A text has a body.
  await send({ ${to}, type: 'text', text: {} })
}`
const rest = `${sendEach}\nconsole.log(JSON.stringify(statuses))\n${mistakes}\nif (statuses.length > 100) await mistakes()\n`
const head = 'const [url, key] = process.argv.slice(2)\nconst statuses: (number | undefined)[] = []\nconst texts: string[] = []\n'

const programs = {
  'openapi-typescript': `import type { components, paths } from './types.js'
${head}
type Answer = paths['/messages']['post']['responses'][202]['content']['application/json']
async function send(body: components['schemas']['SendMessageRequest']): Promise<void> {
  const headers = { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' }
  const answer = await fetch(\`\${url}/v1/messages\`, { method: 'POST', headers, body: JSON.stringify(body) })
  statuses.push(answer.status)
  texts.push(((await answer.json()) as Answer).id)
}
${rest}`,
  '@hey-api/openapi-ts': `import { client } from './client/client.gen.js'
import { sendMessage, type SendMessageRequest } from './client/index.js'
${head}
client.setConfig({ baseUrl: \`\${url}/v1\`, auth: () => key })
async function send(body: SendMessageRequest): Promise<void> {
  const { data, response } = await sendMessage({ body })
  statuses.push(response?.status)
  if (data !== undefined && 'id' in data) texts.push(data.id)
}
${rest}`,
}

let gateway: TestGateway
let directory: string
beforeAll(async () => {
  gateway = await startTestGateway()
  directory = await mkdtemp(join(tmpdir(), 'pombo-generated-'))
  await run('node', [join(root, 'contract', 'generate-clients.ts'), directory])
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
}, stepMsMax)
afterAll(async () => {
  await gateway.close()
  await rm(directory, { recursive: true, force: true })
})

describe('a client that a public generator makes of the contract', { timeout: stepMsMax }, () => {
  test.each(Object.entries(programs))('%s: compiles, finds mistakes, and sends each kind', async (name, program) => {
    const file = `send-with-${name.replaceAll(/[^a-z]+/g, '-')}`
    await writeFile(join(directory, `${file}.ts`), program)
    // A settings file further up is nobody's here.
    const strict = ['--ignoreConfig', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types'), '--lib', 'es2022,dom,dom.iterable']
    await run('tsc', [...strict, ...types, '--outDir', 'built', `${file}.ts`])
    const account = await gateway.account()
    const printed = await run('node', [join('built', `${file}.js`), gateway.url, account.test])
    expect(JSON.parse(printed)).toEqual(sendKinds.map((kind) => (kind === 'reaction' ? 200 : 202)))
  })
})

/** Returns what the program prints. What it says when it fails is in the error. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}` }
  try {
    return (await promisify(execFile)(program, args, { cwd: directory, env, timeout: stepMsMax })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error })
  }
}
