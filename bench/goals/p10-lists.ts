import { present } from '../../server/src/base/assert.ts'
import { formatId, lowestUuidAt, type Uuid } from '../../server/src/base/id.ts'
import { findMessage, listMessages, type MessageFilter } from '../../server/src/features/messages/store.ts'
import type { Queries } from '../../server/src/platform/database/database.ts'
import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import { type Business, makeBusinesses } from '../stage/businesses.ts'
import { growHistory, historyDays } from '../stage/message-history.ts'
import { openPageCounter } from '../stage/pages-touched.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { timedGets } from '../stage/timed-gets.ts'
import { median, percentile } from '../statistics.ts'

const few = 100_000
const page = 20

/** P10: the lists and look-ups of an account with 10,000,000 messages of a year, beside those when it had 100,000. */
export const lists: Benchmark = {
  name: 'P10',
  title: 'lists and look-ups at 10,000,000 messages',
  minutes: 20,
  async run({ runs, quick, messages }: Effort): Promise<readonly Figure[]> {
    const stage = await openStage()
    const business = present((await makeBusinesses(stage, { accounts: 1, numbersEach: 1, peopleEach: 1_000 }))[0], 'one was made')
    const number = present(business.numbers[0], 'one was made')
    const sizes = quick ? [2_000, 10_000] : [few, messages]
    const pages: number[][] = []
    let there = 0
    for (const size of sizes) {
      await growHistory(stage, number, { from: there, to: size })
      there = size
      pages.push(await pagesOf(stage, business))
    }
    const figures: Figure[] = []
    for (const [i, { what }] of askings.entries()) {
      const times: number[][] = []
      for (let run = 0; run < runs; run += 1) times.push(await timesOf(stage, business, i, quick ? 20 : 300))
      const [before = Number.NaN, after = Number.NaN] = pages.map((each) => each[i] ?? Number.NaN)
      figures.push(
        judged(
          `${what}, p99`,
          'ms',
          times.map((each) => percentile(each, 0.99)),
          { atMost: 20 },
        ),
        judged(`${what}, pages more than at ${sizes[0]}`, '', [after - before], { atMost: 2 }),
        shown(`${what}, pages`, '', [after]),
      )
    }
    await stage.close()
    return figures
  },
}

/** What is asked for: as a filter of the product's own statements, and as a path of the contract. `id` is any message, `to` any person. */
type Sample = { id: Uuid; at: Date; contactId: Uuid; digits: string; reference: string }
type Asking = { what: string; path: (sample: Sample) => string; filter: (sample: Sample) => Partial<MessageFilter> | null }

const list = (query: string) => `/v1/messages?limit=${page}${query}`
const askings: readonly Asking[] = [
  { what: 'a message', path: ({ id }) => `/v1/messages/${formatId('msg', id)}`, filter: () => null },
  { what: 'the newest page', path: () => list(''), filter: () => ({}) },
  { what: 'a page further back', path: ({ id }) => list(`&starting_after=${formatId('msg', id)}`), filter: ({ id }) => ({ before: id }) },
  {
    what: 'a page of a time',
    path: ({ at }) => list(`&until=${at.toISOString()}`),
    filter: ({ at }) => ({ until: lowestUuidAt(at) }),
  },
  { what: 'a person', path: ({ digits }) => list(`&phone=${digits}`), filter: ({ contactId }) => ({ contactId }) },
  {
    what: 'a reference',
    path: ({ reference }) => list(`&client_reference=${reference}`),
    filter: ({ reference }) => ({ clientReference: reference }),
  },
  { what: 'what failed (1 in 100)', path: () => list('&status=failed'), filter: () => ({ status: 'failed' }) },
  { what: 'what came in', path: () => list('&direction=inbound'), filter: () => ({ direction: 'inbound' }) },
]

const samples = 25

/** Messages of all of the year, each with its person and its reference. */
async function samplesOf(stage: Stage, { accountId, numbers }: Business): Promise<Sample[]> {
  const people = new Map(numbers[0]?.people.map((each) => [each.contactId, each.digits]))
  const nowMs = stage.deps.clock.now().getTime()
  const found: Sample[] = []
  for (let i = 0; i < samples; i += 1) {
    const before = lowestUuidAt(new Date(nowMs - (historyDays * 86_400_000 * i) / (samples + 1)))
    const [row] = await stage.sql<{ id: Uuid; contact_id: Uuid; client_reference: string }>(
      `select id, contact_id, client_reference from message
      where account_id = $1 and id < $2 and client_reference is not null order by id desc limit 1`,
      [accountId, before],
    )
    const { id, contact_id: contactId, client_reference: reference } = present(row, 'the year is full of them')
    const at = new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))
    found.push({ id, at, contactId, reference, digits: present(people.get(contactId), 'someone of the number') })
  }
  return found
}

/** The pages that each asking touches, the median of all samples. */
async function pagesOf(stage: Stage, business: Business): Promise<number[]> {
  const drawn = await samplesOf(stage, business)
  const counter = await openPageCounter(stage.dataDir)
  const medians: number[] = []
  for (const { filter } of askings) {
    const counts: number[] = []
    for (const sample of drawn) {
      const before = counter.pages()
      await ask(counter.queries, business.accountId, { id: sample.id, filter: filter(sample) })
      counts.push(counter.pages() - before)
    }
    medians.push(median(counts))
  }
  await counter.close()
  return medians
}

async function ask(queries: Queries, accountId: Uuid, { id, filter }: { id: Uuid; filter: Partial<MessageFilter> | null }): Promise<void> {
  const all = { accountId, livemode: true, before: null, from: null, until: null }
  const any = { direction: null, status: null, contactId: null, clientReference: null, source: null }
  if (filter === null) await findMessage(queries, accountId, true, id)
  else await listMessages(queries, { ...all, ...any, ...filter }, page + 1)
}

async function timesOf(stage: Stage, business: Business, place: number, count: number): Promise<number[]> {
  const drawn = await samplesOf(stage, business)
  const { path } = present(askings[place], 'one of them')
  // The first ones plan the statement on each of the gateway's connections.
  return (await timedGets(stage.gateway.url, business.key, { paths: drawn.map(path), count: count + 20 })).slice(20)
}
