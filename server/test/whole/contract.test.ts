import { readFile } from 'node:fs/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contractText, contractUrl } from '../../../tools/contract-text.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const committed = await readFile(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { PUBLIC_URL: contractUrl, ROLES: 'api' } })
})
afterAll(() => gateway.close())

test('contract/openapi.json is what the server serves (else: npm run contract)', async () => {
  const served = await fetch(`${gateway.url}/openapi.json`)
  expect(contractText(await served.text())).toBe(committed)
})

test('contract/openapi.json is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(committed))
  expect(errors).toBeUndefined()
  expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' })
})
