import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatId } from '../../src/base/id.ts'
import type { Method } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { callWith, signedIn } from '../support/people-of-console.ts'

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
  // The console's page and what it is made of: the same for everybody, and nothing of anybody's.
  'GET /',
  'GET /sign-in',
  'GET /sign-in/link',
  'GET /invitation',
  'GET /a/*',
  'GET /assets/*',
  'GET /icon.svg',
])

/** What of the console's interface may be called without a session, and what stands in for one. */
const openInConsole = new Set([
  // What its client's types are made of: it holds nothing of anybody's.
  'GET /console/api/openapi.json',
  // Whether mail is sent here: the sign-in offers a link by mail only where one would come.
  'GET /console/api/facts',
  // How one comes to a session: with a password, a code, a token of a link or an invitation. Each attempt is counted.
  'POST /console/api/sign-in',
  'POST /console/api/sign-in/second-factor',
  'POST /console/api/sign-in/link',
  'POST /console/api/sign-in/link/open',
  'POST /console/api/invitations/look',
  'POST /console/api/invitations/accept',
  // So that also a session that has ended is taken out of the browser.
  'POST /console/api/sign-out',
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
  const outside = gateway.routes.filter((route) => !route.includes(' /v1/') && !route.includes(' /console/api/'))
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

const consoleRoutes = () => gateway.routes.filter((route) => route.includes(' /console/api'))
const isChange = (method: string) => !['GET', 'HEAD'].includes(method)
const bodyFor = (method: string) => (isChange(method) ? { body: '{ broken', headers: { 'content-type': 'application/json' } } : {})

test('every route of the console’s interface answers 401 without a session, with a wrong one, and whatever its body is', async () => {
  const closed = consoleRoutes().filter((route) => !openInConsole.has(route.replace(/^HEAD /, 'GET ')))
  expect(closed.length).toBeGreaterThan(30)
  for (const route of closed) {
    const [method = '', path = ''] = route.split(' ')
    for (const cookie of ['', 'pombo.session_token=wrong.wrong']) {
      const answer = await callWith(gateway, cookie, method as Method, concrete(path).slice('/console/api'.length), bodyFor(method))
      expect([route, answer.status]).toEqual([route, 401])
      if (method !== 'HEAD') expect(answer.body.error.code).toBe('unauthorized')
    }
  }
})

test('every route of the console’s interface that changes something answers 403 to a page of another site', async () => {
  const { uuid } = await gateway.account({ channels: 0 })
  const ana = await signedIn(gateway, { accountId: uuid })
  for (const route of consoleRoutes().filter((each) => isChange(each.split(' ')[0] ?? ''))) {
    const [method = '', path = ''] = route.split(' ')
    for (const headers of [{ cookie: ana.cookie, origin: 'https://evil.example' }, { cookie: ana.cookie }]) {
      const answer = await gateway.call(method as Method, concrete(path), { headers })
      expect([route, answer.status, answer.body.error.code]).toEqual([route, 403, 'forbidden'])
    }
  }
})

test('every route on an account of the console answers 404 to whoever does not belong to it, in the words of an account that nobody has', async () => {
  const [theirs, own] = [await gateway.account({ channels: 0 }), await gateway.account({ channels: 0 })]
  const stranger = await signedIn(gateway, { accountId: own.uuid })
  await signedIn(gateway, { accountId: theirs.uuid })
  const onAccount = consoleRoutes().filter((route) => route.includes('/:account_id'))
  expect(onAccount.length).toBeGreaterThan(25)
  for (const route of onAccount) {
    const [method = '', path = ''] = route.split(' ')
    const answers = await Promise.all(
      [formatId('acc', theirs.uuid), 'acc_00000000000000000000000000000000', 'x'].map((account) =>
        stranger.call(method as Method, concrete(path.replace(':account_id', account)).slice('/console/api'.length), bodyFor(method)),
      ),
    )
    const words = answers.map(({ status, body }) => ({ status, ...body?.error, request_id: '' }))
    expect([route, words[0]?.status]).toEqual([route, 404])
    expect(words[1]).toEqual(words[0])
    expect(words[2]).toEqual(words[0])
  }
})

test('a process without a role has none of its routes', async () => {
  for (const [role, has, lacks] of [
    ['api', ' /v1/', ' /console/api/me'],
    ['console', ' /console/api/me', ' /upstream/notices'],
  ] as const) {
    const other = await startTestGateway({ settings: { ROLES: role } })
    try {
      expect([role, other.routes.some((each) => each.includes(has)), other.routes.some((each) => each.includes(lacks))]).toEqual([
        role,
        true,
        false,
      ])
    } finally {
      await other.close()
    }
  }
})
