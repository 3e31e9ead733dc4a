import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../support/accounts.ts'
import type { Answer } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
let account: TestAccount
let person: string
beforeAll(async () => {
  gateway = await startTestGateway()
  account = await gateway.account()
  person = gateway.newPerson()
  await gateway.letWrite(account, person)
})
afterAll(() => gateway.close())

/** A send under one of a few keys. The body is one of a few too, in one of two spellings of the same JSON. */
type Send = { mode: 'live' | 'test'; key: string; body: 'a' | 'b' | 'refused'; turned: boolean }

const send: fc.Arbitrary<Send> = fc.record({
  mode: fc.constantFrom('live', 'test'),
  key: fc.constantFrom('one', 'two'),
  body: fc.constantFrom('a', 'a', 'b', 'refused'),
  turned: fc.boolean(),
})

let runs = 0

// rule: send 1, send 2 and 4
test('whatever is sent under a key at once or one after the other: one message, one answer, and a conflict for another body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(send, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }), async (batches) => {
      runs += 1
      const run = `run-${runs}`
      const first = new Map<string, { body: Send['body']; text: string }>()
      for (const batch of batches) {
        const answers = await Promise.all(batch.map(async (each) => ({ ...each, answer: await post(run, each) })))
        for (const [place, group] of Map.groupBy(answers, ({ mode, key }) => `${mode} ${key}`)) {
          if (!first.has(place)) findFirst(place, group, first)
          for (const { body, answer } of group) expectFollows(body, answer, first.get(place) ?? null)
        }
      }
      for (const mode of ['live', 'test'] as const)
        expect(await countOf(run, mode)).toBe([...first.keys()].filter((place) => place.startsWith(mode)).length)
    }),
    { numRuns: 30 },
  )
})

/** Of those that came at once exactly one is no repetition, if any was accepted. */
function findFirst(
  place: string,
  group: readonly (Send & { answer: Answer })[],
  first: Map<string, { body: Send['body']; text: string }>,
): void {
  const accepted = group.filter(({ answer }) => answer.status === 202)
  const fresh = accepted.filter(({ answer }) => answer.headers['idempotent-replayed'] === undefined)
  expect(fresh).toHaveLength(accepted.length === 0 ? 0 : 1)
  // Nothing is in the way of a body that may be sent.
  if (group.some(({ body }) => body !== 'refused')) expect(accepted.length).toBeGreaterThan(0)
  for (const { body, answer } of fresh) first.set(place, { body, text: answer.text })
}

function expectFollows(body: Send['body'], { status, text, body: said }: Answer, first: { body: Send['body']; text: string } | null): void {
  if (first !== null && body === first.body) {
    expect([status, text]).toEqual([202, first.text])
    return
  }
  const codes = first === null ? [] : ['idempotency_conflict']
  // A refusal is not kept: as long as nothing was accepted, or at the same moment, it is told.
  if (body === 'refused') codes.push('outside_customer_service_window')
  expect(codes).toContain(said.error?.code)
}

const post = (run: string, { mode, key, body, turned }: Send) =>
  gateway.call('POST', '/v1/messages', {
    key: mode === 'live' ? account.live : account.test,
    headers: { 'idempotency-key': `${run}-${key}` },
    body: bodyText(run, body, turned),
  })

/** A body that is refused goes to somebody whose window is closed; of a test key, that is one of its numbers. */
function bodyText(run: string, body: Send['body'], turned: boolean): string {
  const to = body === 'refused' ? '5511912000005' : person
  const text = body === 'a' ? '{"body":"a","preview_url":true}' : `{"body":"${body}"}`
  return turned
    ? `{"client_reference":"${run}", "text":${text.replace('"body":"a","preview_url":true', '"preview_url":true,"body":"a"')}, "type":"text", "to":"${to}"}`
    : `{"to":"${to}","type":"text","text":${text},"client_reference":"${run}"}`
}

async function countOf(run: string, mode: 'live' | 'test'): Promise<number> {
  const key = mode === 'live' ? account.live : account.test
  const { body } = await gateway.call('GET', '/v1/messages', { key, query: { client_reference: run, limit: 100 } })
  return body.data.length
}
