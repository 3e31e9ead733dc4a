import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeyOperations } from '../../src/features/api-keys/public.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { Method } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
})
afterAll(() => gateway.close())

const allowed = new Set<string>(testKeyOperations.map((each) => each.replace(' ', ' /v1')))

// rule: authentication 3
test('a test key may do exactly the operations that were decided: all others answer 403 forbidden, whatever their body is', async () => {
  expect(gateway.contract.operations.length).toBeGreaterThan(5)
  for (const operation of gateway.contract.operations) {
    const [method = '', path = ''] = operation.split(' ')
    const body = ['GET', 'HEAD'].includes(method) ? {} : { body: '{ broken' }
    const { status, body: said } = await gateway.call(method as Method, path.replaceAll(/\{[^}]+\}/g, 'x'), { key: account.test, ...body })
    expect([operation, status === 403]).toEqual([operation, !allowed.has(operation)])
    if (status === 403) expect(said.error.code).toBe('forbidden')
  }
})

test('a live key without limits of scope is forbidden nothing', async () => {
  for (const operation of gateway.contract.operations) {
    const [method = '', path = ''] = operation.split(' ')
    const body = ['GET', 'HEAD'].includes(method) ? {} : { body: '{ broken' }
    const { status } = await gateway.call(method as Method, path.replaceAll(/\{[^}]+\}/g, 'x'), { key: account.live, ...body })
    expect([operation, status]).not.toEqual([operation, 403])
  }
})
