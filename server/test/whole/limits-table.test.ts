import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { makeKey, type TestAccount } from '../support/accounts.ts'
import type { Answer, Method } from '../support/caller.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

/** A limit of the contract: its number, and the tests that show the last that is allowed and the first that is refused. */
type Row = { what: string; is: Partial<Record<keyof typeof limits, unknown>>; proven: readonly (readonly [file: string, words: string])[] }

const api = 'server/test/api'
const webhooks = 'server/src/features/webhooks'
const here = 'server/test/whole/limits-table.test.ts'
const minuteMs = 60_000

/** The contract's table of limits, row by row: where each is proven at its edge. Rows of what is not built yet come with it. */
const rows: readonly Row[] = [
  {
    what: 'calls of a key in a minute, with headers on every answer and Retry-After beyond',
    is: { callsPerKeyMax: 600, rateWindowMs: minuteMs },
    proven: [
      [here, 'a key may call 600 times in a minute, and no more'],
      [`${api}/rate-limits.test.ts`, 'the headers of each answer count down to zero'],
      ['server/src/platform/http/rate-limit.test.ts', 'the last one allowed passes, the next is a 429'],
    ],
  },
  {
    what: 'calls of an account in a minute, over all of its keys',
    is: { callsPerAccountMax: 1_200 },
    proven: [
      [here, 'an account may call 1,200 times in a minute over all of its keys'],
      [`${api}/rate-limits.test.ts`, '429 from the limit of the account on, over all of its keys'],
    ],
  },
  {
    what: 'size of a body',
    is: { bodyBytesMax: 262_144 },
    proven: [
      [`${api}/post-messages.test.ts`, 'a body of exactly 256 KB'],
      [`${api}/post-messages.test.ts`, 'a body of 256 KB and one byte'],
      ['server/src/platform/http/body.test.ts', 'of exactly 256 KB is read; of one byte more it is a 400'],
    ],
  },
  {
    what: 'pace of a number',
    is: { sendsPerSecond: 50, sendsPerSecondOnBusinessApp: 20 },
    proven: [
      ['server/src/platform/lanes/pacer.test.ts', 'is never exceeded in any second'],
      ['server/src/features/messages/lanes.test.ts', 'a number is paced'],
    ],
  },
  {
    what: 'wait in the queue',
    is: { queueWaitMsMax: 15 * minuteMs },
    proven: [['server/src/features/messages/lanes.test.ts', 'are waited out by what cannot be sent, not a moment less']],
  },
  {
    what: 'active keys of an account',
    is: { activeKeysMax: 20 },
    proven: [
      ['server/src/features/api-keys/keys.test.ts', 'the twentieth active key is issued and the twenty-first refused'],
      ['server/src/features/api-keys/keys.test.ts', 'of 25 keys made at once 20 are issued'],
    ],
  },
  {
    what: 'webhooks of an account',
    is: { webhooksMax: 10 },
    proven: [[`${api}/post-webhooks.test.ts`, '409 conflict for the eleventh webhook, also when all come at once']],
  },
  {
    what: 'events of a webhook, 1 to 30',
    is: { webhookEventsMax: 30 },
    proven: ['post-webhooks', 'patch-webhooks'].flatMap((name) => [
      [`${api}/${name}.test.ts`, '30 kinds'] as const,
      [`${api}/${name}.test.ts`, 'has 31 items'] as const,
      [`${api}/${name}.test.ts`, "['events', 'is empty'"] as const,
    ]),
  },
  {
    what: 'length of a webhook’s URL and description',
    is: { webhookUrlCharsMax: 2_048, webhookDescriptionCharsMax: 200 },
    proven: ['post-webhooks', 'patch-webhooks'].flatMap((name) => [
      [`${api}/${name}.test.ts`, 'a URL of 2048 characters'] as const,
      [`${api}/${name}.test.ts`, 'is longer than 2048 characters'] as const,
      [`${api}/${name}.test.ts`, 'a description of 200 characters'] as const,
      [`${api}/${name}.test.ts`, 'has 201 characters'] as const,
    ]),
  },
  {
    what: 'how long an Idempotency-Key counts',
    is: { idempotencyMs: 24 * 60 * minuteMs },
    proven: [[`${api}/post-messages-idempotency.test.ts`, "test('for 24 hours'"]],
  },
  {
    what: 'deadline of a receiver',
    is: { webhookDeadlineMs: 10_000 },
    proven: [['server/src/platform/fetch/post-to-stranger.test.ts', 'is ten seconds by the given clock']],
  },
  {
    what: 'delays after a failed delivery',
    is: { webhookRetryDelaysMs: [1, 5, 25, 120, 600].map((minutes) => minutes * minuteMs) },
    proven: [
      [`${webhooks}/rules.test.ts`, 'the delays are 1, 5, 25, 120 and 600 minutes, and the sixth failure is the last'],
      [`${webhooks}/deliver.test.ts`, 'is followed by one a minute after its end, not after its start'],
    ],
  },
  {
    what: 'tolerance for the moment of a signature, which is the receiver’s to keep; ours signs each attempt anew',
    is: {},
    proven: [
      ['server/src/cli/signature.test.ts', '[301, false]'],
      [`${webhooks}/sign.test.ts`, 'is refused for one other byte, another secret, or a moment too long ago'],
      [`${webhooks}/deliver.test.ts`, 'is signed and dated by its start'],
    ],
  },
  {
    what: 'text of a message, 1 to 4096',
    is: { textCharsMax: 4_096 },
    proven: [
      [`${api}/post-messages.test.ts`, 'a text of 4096 characters'],
      [`${api}/post-messages.test.ts`, "['text.body', 'is 4097 characters'"],
      [`${api}/post-messages.test.ts`, "['text.body', 'is empty'"],
    ],
  },
  {
    what: 'client_reference and contact_name',
    is: { clientReferenceCharsMax: 512, contactNameCharsMax: 120 },
    proven: [
      [`${api}/post-messages.test.ts`, 'a client_reference of 512 characters'],
      [`${api}/post-messages.test.ts`, 'is 513 characters'],
      [`${api}/post-messages.test.ts`, 'a contact_name of 120 characters'],
      [`${api}/post-messages.test.ts`, 'is 121 characters'],
    ],
  },
  {
    what: 'limit of a list, 1 to 100',
    is: { listLimitMax: 100, listLimitDefault: 20 },
    proven: [
      [here, 'every list takes a limit of 1 and of 100, and refuses 0 and 101'],
      [`${api}/get-messages.test.ts`, 'without a limit a page has 20, newest first'],
    ],
  },
  {
    what: 'upstream’s own limit of a number, which a channel shows',
    is: {},
    proven: [[`${api}/get-channels.test.ts`, 'messaging_limit']],
  },
]

const root = new URL('../../../', import.meta.url)

describe('each limit of the contract', () => {
  test.each(rows)('is the contract’s number: $what', ({ is }) => {
    expect(limits).toMatchObject(is)
  })

  test.each(rows)('is proven at its edge: $what', async ({ proven }) => {
    expect(proven.length).toBeGreaterThan(0)
    for (const [file, words] of proven) expect(await readFile(new URL(file, root), 'utf8')).toContain(words)
  })
})

describe('over HTTP', () => {
  let gateway: TestGateway
  let account: TestAccount
  beforeAll(async () => {
    const { callsPerKeyMax, callsPerAccountMax } = limits
    gateway = await startTestGateway({
      settings: { RATE_LIMIT_PER_KEY: String(callsPerKeyMax), RATE_LIMIT_PER_ACCOUNT: String(callsPerAccountMax) },
    })
    account = await gateway.account()
  })
  afterAll(() => gateway.close())

  const calls = (key: string, count: number): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, () => gateway.call('GET', '/v1/marketing-opt-outs', { key })))
  const countOf = (answers: readonly Answer[], status: number) => answers.filter((each) => each.status === status).length

  // rule: limits 1
  test('a key may call 600 times in a minute, and no more', async () => {
    const own = await gateway.account()
    const answers = await calls(own.live, 602)
    expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([600, 2])
    expect(Number(answers.find((each) => each.status === 429)?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  })

  // rule: limits 1
  test('an account may call 1,200 times in a minute over all of its keys', async () => {
    const third = await makeKey(gateway.deps, account.uuid, { livemode: true })
    const answers = [...(await calls(account.live, 600)), ...(await calls(account.test, 599))]
    expect(countOf(answers, 200)).toBe(1_199)
    const last = await calls(third.secret, 2)
    expect([countOf(last, 200), countOf(last, 429)]).toEqual([1, 1])
    expect(last.find((each) => each.status === 429)?.headers['ratelimit-limit']).toBe('1200')
  })

  test('every list takes a limit of 1 and of 100, and refuses 0 and 101', async () => {
    const own = await gateway.account()
    const { webhookId } = await gateway.events(own)
    type Parameters = { parameters?: { name: string; schema: { maximum?: number; default?: number } }[] }
    const { paths } = (await gateway.call('GET', '/openapi.json')).body as { paths: Record<string, Record<string, Parameters>> }
    const lists = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [] }]) =>
        parameters.some((each) => each.name === 'limit') ? [{ method: method.toUpperCase(), path: path.replace('{id}', webhookId) }] : [],
      ),
    )
    expect(lists.length).toBeGreaterThanOrEqual(3)
    for (const { method, path } of lists) {
      const statuses = [1, 100, 0, 101].map(async (limit) => {
        const { status } = await gateway.call(method as Method, `/v1${path}`, { key: own.live, query: { limit } })
        return status
      })
      expect([path, await Promise.all(statuses)]).toEqual([path, [200, 200, 400, 400]])
    }
  })
})
