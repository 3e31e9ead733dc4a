import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, type StandIn, startStandIn } from './support/stand-in.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const binaries = join(root, 'node_modules', '.bin')
/** npm takes seconds to start on a machine that does much else. */
const stepMsMax = 120_000

/** What a customer writes; each of the errors is one that the types must find. */
const customer = `import { createPombo, PomboError, unwrapEvent, type Message, type PomboEvent } from '@pombo/sdk'

const pombo = createPombo({ apiKey: 'svc_test_1', retries: 1 })
const message: Message = await pombo.messages.send({ to: '5511987654321', type: 'text', text: { body: 'Olá!' } })
for await (const each of pombo.messages.list({ status: 'failed' })) console.log(each.error?.code, message.status === 'queued')
const event: PomboEvent = await unwrapEvent(new Uint8Array(), null, 'whsec_1')
if (event.type === 'message.reaction') console.log(event.data.reaction.emoji)
if (event.type === 'channel.updated') console.log(event.data.meta.entry[0]?.changes[0]?.value)
const error: unknown = null
if (error instanceof PomboError && error.code === 'recipient_opted_out') console.log(error.details[0]?.field)

// @ts-expect-error There is no such kind.
await pombo.messages.send({ to: '5511987654321', type: 'smoke', smoke: {} })
// @ts-expect-error A text has a body.
await pombo.messages.send({ to: '5511987654321', type: 'text', text: {} })
// @ts-expect-error There is no such status.
pombo.messages.list({ status: 'lost' })
// @ts-expect-error A kind of event has only its own data.
if (event.type === 'message.sent') console.log(event.data.reaction)
`

/** What runs in a plain Node; prints what it saw. */
const program = `import { createHmac } from 'node:crypto'
import { createPombo, PomboError, SignatureError, verifySignature } from '@pombo/sdk'

const pombo = createPombo({ apiKey: 'svc_test_1', baseUrl: process.argv[2] })
const sent = await pombo.messages.send({ to: '5511987654321', type: 'text', text: { body: 'Olá!' } })
const error = await pombo.messages.get('msg_2').catch((reason) => reason)
const t = Math.floor(Date.now() / 1000)
const header = 't=' + t + ',v1=' + createHmac('sha256', 'whsec_1').update(t + '.{}').digest('hex')
await verifySignature('{}', header, 'whsec_1')
const forged = await verifySignature('{ }', header, 'whsec_1').catch((reason) => reason)
console.log(JSON.stringify([sent.id, error instanceof PomboError, error.code, forged instanceof SignatureError]))
`

let temporary: string
/** Where a customer has installed the package. */
let directory: string
let standIn: StandIn
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'pombo-sdk-'))
  standIn = await startStandIn({ status: 202, body: { id: 'msg_1' } }, refusal(404, 'not_found'))
  const built = join(temporary, 'built')
  directory = join(temporary, 'customer')
  await mkdir(directory)
  await run('node', [join(root, 'tools', 'build-sdk.ts'), built], root)
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', directory], built)
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed.trim()}`], directory)
}, stepMsMax)
afterAll(async () => {
  await standIn.close()
  await rm(temporary, { recursive: true, force: true })
})

describe('the package as it is published', { timeout: stepMsMax }, () => {
  test('holds JavaScript, its types, the licence and the README, and needs no other package', async () => {
    const installed = join(directory, 'node_modules', '@pombo', 'sdk')
    const files = await readdir(installed, { recursive: true })
    for (const file of ['index.js', 'index.d.ts', 'README.md', 'LICENSE']) expect(files).toContain(file)
    expect(files.filter((file) => /(?<!\.d)\.ts$|test/.test(file))).toEqual([])
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    expect(manifest).toMatchObject({ name: '@pombo/sdk', license: 'MIT', type: 'module' })
    expect([manifest.dependencies, manifest.private, manifest.scripts]).toEqual([undefined, undefined, undefined])
    expect(await readdir(join(directory, 'node_modules', '@pombo'))).toEqual(['sdk'])
    for (const file of files.filter((each) => each.endsWith('.js')))
      expect(await readFile(join(installed, file), 'utf8')).not.toMatch(/from ['"](?!\.)/)
  })

  test('runs in a plain Node', async () => {
    await writeFile(join(directory, 'program.js'), program)
    const printed = await run('node', ['program.js', standIn.url], directory)
    expect(JSON.parse(printed)).toEqual(['msg_1', true, 'not_found', true])
    expect(standIn.heard.map((each) => each.url)).toEqual(['/v1/messages', '/v1/messages/msg_2'])
  })

  const older = olderNode()
  test.skipIf(older === null)('runs in the older Node that this machine has', async () => {
    await writeFile(join(directory, 'program.js'), program)
    const other = await startStandIn({ status: 202, body: { id: 'msg_1' } }, refusal(404, 'not_found'))
    const printed = await run(older ?? '', ['program.js', other.url], directory)
    expect(JSON.parse(printed)).toEqual(['msg_1', true, 'not_found', true])
    await other.close()
  })

  test('is not made of the sources: npm pack there says what to run instead', async () => {
    await expect(run('npm', ['pack', '--silent', '--pack-destination', directory], join(root, 'sdk'))).rejects.toThrow('npm run sdk:pack')
  })

  test.each([
    ['Node', ['--module', 'nodenext', '--types', 'node', '--typeRoots', join(root, 'node_modules', '@types'), '--lib', 'es2022']],
    ['a bundler', ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', '', '--lib', 'es2022,dom']],
    ['an edge runtime', ['--module', 'esnext', '--moduleResolution', 'bundler', '--types', '', '--lib', 'es2022,webworker']],
  ])('has types for %s, which find what is wrong', async (_what, options) => {
    await writeFile(join(directory, 'customer.ts'), customer)
    // A settings file further up is nobody's here.
    const strict = ['--ignoreConfig', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--noEmit']
    await run('tsc', [...strict, ...options, 'customer.ts'], directory)
  })
})

/** A Node of 20 to 23 outside of the project; null where there is none. */
function olderNode(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))
  for (const path of folders.map((each) => join(each, 'node')).filter(existsSync)) {
    const major = Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1])
    if (major >= 20 && major < 24) return path
  }
  return null
}

/** Answers what the program prints; what it says when it fails is in the error. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`, npm_config_update_notifier: 'false' }
  try {
    return (await promisify(execFile)(program, args, { cwd, env, timeout: stepMsMax })).stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args.join(' ')} failed: ${stdout}${stderr}`, { cause: error })
  }
}
