import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Method } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

/** What may be called without an API key. Whoever adds a path here says why nobody needs one. */
const open = new Set([
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/*',
  'GET /health',
  'GET /ready',
  'GET /metrics',
  // Behind a token of 32 random bytes, which stands in for a key.
  'GET /files/:token/:name',
  // The platform's side: a verify token, and a signature over each body.
  'GET /upstream/notices',
  'POST /upstream/notices',
])

/** The document's braces in the form of the router. */
const routerForm = (operation: string) => operation.replaceAll(/\{([^}]+)\}/g, ':$1')
const concrete = (path: string) => path.replaceAll(/:[^/]+/g, 'x_00000000000000000000000000000000')

test('the router has every operation of the document, and the document every route under /v1', () => {
  const documented = gateway.contract.operations.map(routerForm)
  const routed = gateway.routes.filter((route) => route.includes(' /v1') && !route.startsWith('HEAD '))
  expect(routed.length).toBeGreaterThan(5)
  expect(routed.toSorted()).toEqual(documented.toSorted())
})

test('every route that is not under /v1 is one that was decided to be open', () => {
  const outside = gateway.routes.filter((route) => !route.includes(' /v1/'))
  expect(outside.filter((route) => !open.has(route.replace(/^HEAD /, 'GET ')))).toEqual([])
})

// rule: authentication 1
test('every route under /v1 answers 401 unauthorized without a key, with a wrong one, and whatever its body is', async () => {
  const routes = gateway.routes.filter((route) => route.includes(' /v1'))
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const writes = !['GET', 'HEAD'].includes(method)
    for (const key of [null, 'svc_live_00000000000000000000000000000000']) {
      const answer = await gateway.call(method as Method, concrete(path), { key, ...(writes ? { body: '{ broken' } : {}) })
      expect([route, answer.status]).toEqual([route, 401])
      if (method !== 'HEAD') expect(answer.body.error.code).toBe('unauthorized')
    }
  }
})
