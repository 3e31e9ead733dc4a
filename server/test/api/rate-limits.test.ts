import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey } from '../support/accounts.ts'
import type { Answer } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { textTo } from '../support/texts.ts'

const perKey = 5
const perAccount = 8
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { RATE_LIMIT_PER_KEY: String(perKey), RATE_LIMIT_PER_ACCOUNT: String(perAccount) } })
})
afterAll(() => gateway.close())

const channels = (key: string) => gateway.call('GET', '/v1/channels', { key })
const manyCalls = (key: string, count: number) => Promise.all(Array.from({ length: count }, () => channels(key)))
const statusesOf = (answers: Answer[]) => answers.map((each) => each.status).toSorted()

// rule: limits 1
test('429 rate_limited from the first call above the limit of a key, with Retry-After within the window', async () => {
  const account = await gateway.account()
  const answers = await manyCalls(account.live, perKey + 3)
  expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  const { body, headers } = await channels(account.live)
  expect(body.error.code).toBe('rate_limited')
  expect([headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([String(perKey), '0'])
  expect(headers['retry-after']).toBe(headers['ratelimit-reset'])
  expect(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60).toBe(true)
})

test('the headers of each answer count down to zero', async () => {
  const account = await gateway.account()
  const left: number[] = []
  for (let i = 0; i < perKey; i += 1) left.push(Number((await channels(account.live)).headers['ratelimit-remaining']))
  expect(left).toEqual([4, 3, 2, 1, 0])
})

test('429 from the limit of the account on, over all of its keys; another account is not held up', async () => {
  const account = await gateway.account()
  expect(statusesOf(await manyCalls(account.live, perKey)).every((status) => status === 200)).toBe(true)
  // Below the limit of the key, so that only the account's can be the reason.
  const answers = await manyCalls(account.test, perAccount - perKey + 1)
  expect(statusesOf(answers)).toEqual([200, 200, 200, 429])
  const refused = answers.find((each) => each.status === 429)
  expect([refused?.headers['ratelimit-limit'], refused?.body.error.code]).toEqual([String(perAccount), 'rate_limited'])
  expect((await channels((await gateway.account()).live)).status).toBe(200)
})

test('calls of a key that is over its limit do not use up the account’s', async () => {
  const account = await gateway.account()
  await manyCalls(account.live, perKey + 20)
  expect((await channels(account.test)).status).toBe(200)
})

test('429 comes after 401 and before 403, 400 and everything that a send is checked for', async () => {
  const account = await gateway.account()
  const key = await makeKey(gateway.deps, account.uuid, { livemode: true, scopes: [] })
  const send = (secret: string) => gateway.call('POST', '/v1/messages', { key: secret, body: '{ broken' })
  const answers = []
  for (let i = 0; i < perKey + 1; i += 1) answers.push((await send(key.secret)).status)
  expect(answers).toEqual([403, 403, 403, 403, 403, 429])
  expect((await send(`${key.secret}x`)).status).toBe(401)
})

test('a call that is refused for its form counts too, and so does an unknown path', async () => {
  const account = await gateway.account()
  const answers = []
  for (const body of ['{', '{}', textTo('12')])
    answers.push((await gateway.call('POST', '/v1/messages', { key: account.test, body })).status)
  for (let i = 0; i < 3; i += 1) answers.push((await gateway.call('GET', '/v1/nothing', { key: account.test })).status)
  expect(answers).toEqual([400, 400, 400, 404, 404, 429])
})

// rule: limits 2
test('failed authentications have a limit of their own, which never holds up a valid key', async () => {
  const wrong = () => gateway.call('GET', '/v1/channels', { key: 'svc_live_wrong' })
  const { headers } = await wrong()
  expect(headers['ratelimit-limit']).toBe('600')
  let answer: Answer | undefined
  for (let i = 0; i < 7; i += 1) answer = (await Promise.all(Array.from({ length: 100 }, wrong))).at(-1)
  expect([answer?.status, answer?.body.error.code]).toEqual([429, 'rate_limited'])
  expect((await channels((await gateway.account()).live)).status).toBe(200)
})
