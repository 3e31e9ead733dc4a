import fc, { type Arbitrary } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { canonicalJson, isObject, type Json, parseJson } from '../../src/base/json.ts'
import type { TestAccount } from '../support/accounts.ts'
import type { TestEvents } from '../support/events.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
let events: TestEvents
let person: string
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  events = await gateway.events(account, ['message.sent'])
  person = gateway.newPerson()
  await gateway.letWrite(account, person)
})
afterAll(() => gateway.close())

/** JSON as text, because its numbers are larger than any that JavaScript has. */
const large = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String)
const leaf = fc.oneof(
  large,
  fc.jsonValue({ maxDepth: 2, noUnicodeString: false }).map((value) => JSON.stringify(value)),
)
const key = fc.oneof(
  fc.stringMatching(/^x_[a-z0-9_]{0,10}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((text) => `x_${text}`),
)
const objectText = (values: Arbitrary<string>): Arbitrary<string> =>
  fc.uniqueArray(fc.tuple(key, values), { maxLength: 4, selector: ([name]) => name }).map((fields) => fieldsText(fields))
const fieldsText = (fields: readonly (readonly [string, string])[]) =>
  `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`
const nested = fc.oneof(
  leaf,
  objectText(leaf),
  fc.array(leaf, { maxLength: 3 }).map((items) => `[${items.join(',')}]`),
)
/** Ours to refuse, wherever it stands. */
const storable = (text: string) => !text.includes('__proto__') && !text.includes('\\u0000')

// rule: requests 3, send 8
test('what a caller puts under an object of upstream comes out there deeply equal, digits of large numbers included', async () => {
  await fc.assert(
    fc.asyncProperty(objectText(nested).filter(storable), objectText(nested).filter(storable), async (inside, beside) => {
      const content = `{"body":"Oi!"${inside === '{}' ? '' : `,${inside.slice(1)}`}${inside === '{}' ? '}' : ''}`
      const top = beside === '{}' ? '' : `,${beside.slice(1, -1)}`
      const answer = await gateway.call('POST', '/v1/messages', {
        key: account.live,
        body: `{"to":"${person}","type":"text","text":${content}${top}}`,
      })
      expect([answer.status, answer.body]).toMatchObject([202, { status: 'queued' }])
      await events.of(answer.body.id, 'message.sent')
      const taken = gateway.simulator.accepted.find((each) => each.opaque?.startsWith(`${answer.body.id}.`))
      const upstream = parseJson(taken?.raw ?? 'null')
      expect(fieldOf(upstream, 'text')).toBe(canonicalJson(parseJson(content)))
      for (const [name, value] of Object.entries(parseJson(beside) as Record<string, Json>))
        expect(fieldOf(upstream, name)).toBe(canonicalJson(value))
    }),
    { numRuns: 40 },
  )
})

const fieldOf = (body: Json, name: string): string | null => (isObject(body) && body[name] !== undefined ? canonicalJson(body[name]) : null)
