import { describe, expect, test } from 'vitest'
import { checkRun } from '../check-run.ts'
import { type Run, uuidOf, type Violation } from '../histories.ts'
import { acceptedOnce } from './accepted-once.ts'
import { attemptsSeen } from './attempts-seen.ts'
import { bounded } from './bounded.ts'
import { worksWithinBounds } from './bounded-work.ts'
import { delivered } from './delivered.ts'
import { drained } from './drained.ts'
import { duplicates } from './duplicates.ts'
import { epochsHold } from './epochs.ts'
import { eventsRecorded } from './events-recorded.ts'
import { ids, type MadeUpRun, madeMs, noticeBody, receiptOf, shown, wellRun } from './made-up-run.ts'
import { notAfterExpiry } from './not-after-expiry.ts'
import { noticesApplied } from './notices-applied.ts'
import { onePerKey } from './one-per-key.ts'
import { inOrder } from './order.ts'
import { othersGoOn } from './others-go-on.ts'
import { keepsPace } from './pace.ts'
import { readyTells } from './ready-tells.ts'
import { signed } from './signatures.ts'
import { neverStandsStill } from './stalls.ts'
import { statusesClimb } from './statuses-climb.ts'
import { staysUp } from './stays-up.ts'
import { usageRecounted } from './usage-recounted.ts'

type Spoil = (run: MadeUpRun) => void
const other = '01a21fc4-dfe8-7004-ad2c-000000000002'

const first = <Item>(items: readonly Item[]): Item => {
  const [item] = items
  if (item === undefined) throw new Error('bug: the made-up run lacks it')
  return item
}
const found = (invariant: (run: Run) => Violation[], spoil: Spoil): Violation[] => {
  const run = wellRun()
  spoil(run)
  return invariant(run)
}
/** A message that is not the one in the made-up run. */
const another = (run: MadeUpRun, changes: object) =>
  run.database.messages.push({ ...first(run.database.messages), id: other, reference: 'k-2', ...changes })
const fault = (name: string, atMs: number): MadeUpRun['faults'][number] => ({
  kind: 'fault',
  cycle: 1,
  name,
  detail: '',
  gateways: [0],
  fromMs: atMs,
  toMs: atMs,
})
const again = (run: MadeUpRun, changes: object = {}) => run.receipts.push(receiptOf(0, { atMs: madeMs + 4_000, ...changes }))

/** Twenty sends, asked for and answered one after the other, a quarter of a second apart. */
const sends = (run: MadeUpRun, changes: { status?: number | null; tookMs?: number; left?: boolean } = {}) => {
  const { status = 202, tookMs = 20, left = true } = changes
  for (let i = 0; i < 60; i += 1) {
    const atMs = madeMs + 250 * i
    const uuid = `01a21fc4-dfe8-7004-ad2c-0000000001${String(i).padStart(2, '0')}`
    const key = `k-beside-${i}`
    run.requests.push({ ...first(run.requests), key, atMs })
    run.answers.push({ ...first(run.answers), key, atMs: atMs + tookMs, status, id: status === 202 ? shown('msg', uuid) : null })
    const at = new Date(atMs + 100).toISOString()
    if (left) run.sends.push({ ...first(run.sends), at, opaque: `${shown('msg', uuid)}.1` })
  }
}
const trouble = (run: MadeUpRun) =>
  run.troubles.push({
    kind: 'trouble',
    cycle: 1,
    name: 'nightly-dump',
    calmFromMs: madeMs - 500,
    fromMs: madeMs - 10,
    toMs: madeMs + 15_000,
  })
/** For a quarter of a minute, twice a second. */
const readyIs = (run: MadeUpRun, ready: number | null) => {
  for (let i = 0; i < 30; i += 1) run.probes.push({ kind: 'probe', atMs: madeMs + 500 * i, gateway: 0, ready, stallMs: 12 })
}

test('a run in which every promise was kept has no violation', () => {
  expect(checkRun(wellRun())).toEqual([])
})

/** Each invariant with histories that break it, by the sentence that says how. */
const planted: readonly [string, (run: Run) => Violation[], { readonly [how: string]: Spoil }][] = [
  [
    'I1',
    acceptedOnce,
    {
      'a message that was sent twice': (run) =>
        run.sends.push({ ...first(run.sends), sequence: 2, opaque: `${shown('msg', ids.message)}.2` }),
      'a 202 without a message': (run) => run.answers.push({ ...first(run.answers), id: shown('msg', other) }),
      'a message that upstream has and we do not': (run) => run.sends.push({ ...first(run.sends), opaque: `${shown('msg', other)}.1` }),
      'a sent message that upstream never accepted': (run) => (run.sends = []),
      'a message that failed in the queue and was accepted': (run) => {
        Object.assign(first(run.database.messages), { status: 'failed', wamid: null })
      },
      'a queued message that is in no queue': (run) => another(run, { status: 'queued', wamid: null }),
      'an unknown outcome that was accepted twice': (run) => {
        Object.assign(first(run.database.messages), { status: 'queued', outcomeUnknown: true })
        run.sends.push(first(run.sends))
      },
      'a message to a test number that was sent twice': (run) => {
        another(run, { livemode: false })
        const body = (wamid: string) =>
          `{"statuses":[{"id":"${wamid}","status":"sent","biz_opaque_callback_data":"${shown('msg', other)}.1"}]}`
        run.database.testNotices.push(...['wamid.TESTa', 'wamid.TESTb'].map((each) => ({ accountId: ids.account, body: body(each) })))
      },
    },
  ],
  [
    'I2',
    onePerKey,
    {
      'two messages for one key': (run) => another(run, { reference: 'k-1' }),
      'two answers that name different messages': (run) => run.answers.push({ ...first(run.answers), id: shown('msg', other) }),
      'a 202 that made nothing': (run) => (run.database.messages = []),
      'a message that nobody asked for': (run) => another(run, {}),
      'a refusal without a key that made a message': (run) => {
        first(run.requests).keyed = false
        Object.assign(first(run.answers), { status: 422, id: null })
      },
    },
  ],
  [
    'I3',
    notAfterExpiry,
    {
      'a send after its fifteen minutes': (run) => (first(run.sends).at = new Date(madeMs + 903_000).toISOString()),
      'a row that is still queued after 17 minutes': (run) => {
        run.database.queue.push({ messageId: ids.message, state: 2, attempt: 1, intentMs: madeMs })
        run.database.atMs = madeMs + 1_100_000
      },
    },
  ],
  [
    'I4',
    inOrder,
    {
      'a later send that arrived first': (run) => {
        run.requests.push({ ...first(run.requests), key: 'k-2', atMs: madeMs + 50 })
        run.answers.push({ ...first(run.answers), key: 'k-2', id: shown('msg', other), atMs: madeMs + 70 })
        run.sends.push({ ...first(run.sends), sequence: 0, opaque: `${shown('msg', other)}.1` })
      },
    },
  ],
  [
    'I5',
    keepsPace,
    {
      'a number with two owners, each at its pace': (run) =>
        run.sends.push(...Array.from({ length: 40 }, (_, i) => ({ ...first(run.sends), monotonicMs: 101 + i * 25 }))),
    },
  ],
  [
    'I6',
    noticesApplied,
    {
      'a status without effect': (run) => (first(run.database.messages).deliveredMs = null),
      'a status whose message does not know its wamid': (run) => (first(run.database.messages).wamid = null),
      'an inbound message that is not there': (run) =>
        run.notices.push({ ...first(run.notices), body: '{"entry":[{"changes":[{"value":{"messages":[{"id":"wamid.in"}]}}]}]}' }),
      'one wamid at two messages': (run) => another(run, {}),
      'a notice that still waits': (run) => (run.database.waitingNotices = 1),
      'an item that was set aside': (run) => run.database.setAside.push('why'),
    },
  ],
  [
    'I7',
    statusesClimb,
    {
      'a status below the highest': (run) => (first(run.database.messages).status = 'delivered'),
      'a status that nobody told': (run) => (run.notices = run.notices.slice(0, 2)),
      'a moment that nobody told': (run) => (first(run.database.messages).readMs = madeMs + 60_000),
      'a delivery before the send': (run) => {
        first(run.database.messages).sentMs = (first(run.database.messages).deliveredMs ?? 0) + 5
      },
      'a failure without a moment': (run) => {
        run.notices.push({ ...first(run.notices), body: noticeBody('failed', madeMs) })
        run.notices = run.notices.filter((each) => !/delivered|read/.test(each.body))
        first(run.database.messages).status = 'failed'
      },
      'a delivered message that was never sent': (run) => (first(run.database.messages).sentMs = null),
    },
  ],
  [
    'I8',
    eventsRecorded,
    {
      'an event too few': (run) => run.database.events.pop(),
      'an event too many': (run) => run.database.events.push({ ...first(run.database.events), id: other }),
      'an event of nothing': (run) => (first(run.database.events).messageId = shown('msg', other)),
    },
  ],
  [
    'I9',
    delivered,
    {
      'an event without a delivery': (run) => run.database.deliveries.pop(),
      'a delivery that counts as taken and was not': (run) => (run.receipts = []),
      'a delivery that was given up too early': (run) => (first(run.database.deliveries).status = 'failed'),
      'a delivery that was canceled': (run) => (first(run.database.deliveries).status = 'canceled'),
      'an attempt that was not counted': (run) => (first(run.database.deliveries).attempts = 2),
      'an attempt too early': (run) => {
        Object.assign(first(run.database.deliveries), { status: 'pending', nextMs: madeMs + 30_000 })
      },
      'an attempt that is planned too late': (run) => {
        Object.assign(first(run.database.deliveries), { status: 'pending', nextMs: madeMs + 90_000 })
      },
    },
  ],
  [
    'I10',
    duplicates,
    {
      'a repeat without a fault': (run) => again(run),
      'a repeat that only the database was away for': (run) => {
        again(run)
        run.faults.push(fault('kill-postmaster', madeMs + 1_500))
      },
      'a repeat with other bytes': (run) => {
        again(run, { body: '{}' })
        run.faults.push(fault('kill-gateway', madeMs + 1_500))
      },
    },
  ],
  [
    'I11',
    signed,
    {
      'changed bytes': (run) => (first(run.receipts).body += ' '),
      'another secret': (run) => (first(first(run.stage.accounts).webhooks).secret = 'whsec_other'),
      'a stale moment': (run) => (first(run.receipts).atMs += 20_000),
      'a moment ahead': (run) => (first(run.receipts).atMs -= 20_000),
      'a header that names another event': (run) => (first(run.receipts).eventId = shown('evt', other)),
    },
  ],
  [
    'I12',
    attemptsSeen,
    {
      'an attempt that nobody saw': (run) => run.receipts.pop(),
      'a receipt without an attempt': (run) => again(run),
      'an attempt with another status': (run) => (first(run.database.attempts).statusCode = 200),
    },
  ],
  [
    'I15',
    epochsHold,
    {
      'an intent after a takeover': (run) => run.database.takeovers.push({ shard: 3, epoch: 2, owner: 'b', atMs: madeMs + 80 }),
      'one attempt that was begun twice': (run) => run.database.intents.push(first(run.database.intents)),
    },
  ],
  [
    'I17',
    drained,
    {
      'a queue that did not drain': (run) => {
        Object.assign(run.finish, { drained: false, leftOver: '1 notices' })
      },
      'a send that waits': (run) => run.database.queue.push({ messageId: ids.message, state: 0, attempt: 0, intentMs: null }),
      'a send in flight without an owner': (run) =>
        run.database.queue.push({ messageId: ids.message, state: 1, attempt: 1, intentMs: madeMs }),
      'a delivery that is due': (run) => {
        Object.assign(first(run.database.deliveries), { status: 'pending', nextMs: madeMs })
      },
    },
  ],
  [
    'I18',
    bounded,
    {
      'much memory': (run) => (first(run.samples).rssBytes = 2e9),
      'many files': (run) => (first(run.samples).openFiles = 5_000),
    },
  ],
  [
    'I19',
    staysUp,
    {
      'an end that nobody wanted': (run) =>
        run.lives.push({ kind: 'ended', atMs: madeMs, gateway: 0, pid: 7, code: 1, signal: null, wanted: false, clean: false }),
      'a stop that was not clean': (run) =>
        run.lives.push({ kind: 'ended', atMs: madeMs, gateway: 0, pid: 7, code: 1, signal: null, wanted: true, clean: true }),
      'a start that took too long': (run) => run.lives.push({ kind: 'started', atMs: madeMs, gateway: 0, pid: 8, tookMs: 55_000 }),
    },
  ],
  [
    'usage 5',
    usageRecounted,
    {
      'a counter that says more than the messages': (run) =>
        run.database.usageDifferences.push({
          accountId: ids.account,
          day: '2026-11-28',
          kind: 'counted',
          detail: '',
          counted: 2,
          found: 1,
        }),
    },
  ],
  [
    'I21',
    othersGoOn,
    {
      'a send of others that got a 500': (run) => {
        trouble(run)
        sends(run)
        Object.assign(run.answers.at(-10) ?? {}, { status: 500 })
      },
      'sends of others that waited': (run) => {
        trouble(run)
        sends(run, { tookMs: 4_000 })
      },
      'sends of others that did not leave': (run) => {
        trouble(run)
        sends(run, { left: false })
      },
      'events of others that did not come': (run) => {
        trouble(run)
        sends(run)
        for (const { opaque } of run.sends.slice(1)) another(run, { id: uuidOf((opaque ?? '').split('.')[0] ?? '') })
      },
    },
  ],
  [
    'I22',
    readyTells,
    {
      'ready, and nothing is accepted': (run) => {
        readyIs(run, 200)
        sends(run, { status: 500, left: false })
      },
      'ready, and nothing leaves': (run) => {
        readyIs(run, 200)
        sends(run, { left: false })
        run.sends = []
      },
      'not ready, and everything is accepted': (run) => {
        readyIs(run, 503)
        sends(run)
      },
    },
  ],
  [
    'I23',
    neverStandsStill,
    { 'an event loop that stood still': (run) => run.probes.push({ kind: 'probe', atMs: madeMs, gateway: 0, ready: 200, stallMs: 900 }) },
  ],
  [
    'I24',
    worksWithinBounds,
    {
      'a loop that asks the database for ever': (run) => {
        run.finish.idleTransactionsPerSecond = 214
      },
      'a send that is begun for ever': (run) => {
        for (let attempt = 2; attempt < 60; attempt += 1) run.database.intents.push({ ...first(run.database.intents), attempt })
      },
    },
  ],
]

describe.each(planted)('%s finds what was planted', (name, invariant, ways) => {
  test.each(Object.entries(ways))('%s', (_how, spoil) => {
    const violations = found(invariant, spoil)
    expect(violations.length).toBeGreaterThan(0)
    expect(new Set(violations.map((each) => each.invariant))).toEqual(new Set([name]))
  })
})

test('while others go on, and what is said is true, there is nothing to find', () => {
  const spoil: Spoil = (run) => {
    trouble(run)
    readyIs(run, 200)
    sends(run)
  }
  expect([...found(othersGoOn, spoil), ...found(readyTells, spoil), ...found(neverStandsStill, spoil)]).toEqual([])
})

describe('what a fault excuses', () => {
  test('a repeat of an attempt that was under way when its gateway was killed is no violation', () => {
    const spoil: Spoil = (run) => {
      again(run)
      run.faults.push(fault('kill-gateway', madeMs + 1_500))
    }
    expect([...found(duplicates, spoil), ...found(attemptsSeen, spoil)]).toEqual([])
  })

  test('an unknown outcome that still waits for its notice is none, accepted or not', () => {
    const unknown: Spoil = (run) => {
      Object.assign(first(run.database.messages), { status: 'queued', outcomeUnknown: true, wamid: null, sentMs: null })
      run.database.queue.push({ messageId: ids.message, state: 2, attempt: 1, intentMs: madeMs })
    }
    expect([...found(acceptedOnce, unknown), ...found(drained, unknown)]).toEqual([])
    expect(
      found(acceptedOnce, (run) => {
        unknown(run)
        run.sends = []
      }),
    ).toEqual([])
  })
})
