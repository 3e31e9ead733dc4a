import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { consolePages } from './pages.ts'
import { type TestServer, testServer } from './test-server.ts'

let directory: string
let server: TestServer

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pombo-pages-'))
  await mkdir(join(directory, 'assets'))
  await writeFile(join(directory, 'index.html'), '<head><meta name="csp-nonce" content="" /></head>')
  await writeFile(join(directory, 'icon.svg'), '<svg/>')
  await writeFile(join(directory, 'assets', 'index-abc.js'), 'let long = 1')
  await writeFile(join(directory, 'assets', 'index-abc.js.gz'), gzipSync('let long = 1'))
  server = await testServer({ beside: (app) => consolePages(app, { directory, filesUrl: 'https://files.example/base' }) })
})

afterAll(async () => {
  await server.app.close()
  await rm(directory, { recursive: true, force: true })
})

test.for(['/', '/sign-in', '/sign-in/link', '/invitation', '/a/acc_1/inbox/cnv_2'])('%s is a page of the console', async (url) => {
  const answer = await server.app.inject(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.headers['cache-control']).toBe('no-cache')
})

test('a page may run only our programs, and load and send only here and from the host of the files', async () => {
  const first = await server.app.inject('/')
  const policy = String(first.headers['content-security-policy'])
  expect(policy).not.toMatch(/unsafe|\*|script-src[^;]*nonce/)
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("img-src 'self' data: blob: https://files.example;")
  expect(policy).toContain("frame-ancestors 'none'")
  // The page is told its nonce, and the next one gets another.
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
  expect(nonce.length).toBeGreaterThanOrEqual(22)
  expect(first.body).toContain(`content="${nonce}"`)
  expect((await server.app.inject('/')).body).not.toContain(nonce)
})

test('an asset is kept by browsers for good, and sent as it was compressed', async () => {
  const answer = await server.app.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': 'gzip' } })
  expect(answer.headers['content-encoding']).toBe('gzip')
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await server.app.inject('/assets/index-abc.js')).body).toBe('let long = 1')
})

test('what is no page and no asset is told in the envelope', async () => {
  for (const url of ['/settings', '/assets/none.js', '/assets/../index.html', '/a']) {
    const answer = await server.app.inject(url)
    expect([url, answer.statusCode]).toEqual([url, 404])
    expect(answer.json().error.code).toBe('not_found')
  }
})

test('without a build the console says how to make one', async () => {
  const unbuilt = await testServer({
    beside: (app) => consolePages(app, { directory: join(directory, 'none'), filesUrl: 'https://files.example' }),
  })
  const answer = await unbuilt.app.inject('/')
  expect(answer.statusCode).toBe(404)
  expect(answer.json().error.message).toContain('npm ci')
  await unbuilt.app.close()
})
