import { present } from '../../server/src/base/assert.ts'
import { formatId, lowestUuidAt, type Uuid } from '../../server/src/base/id.ts'
import { listMessages, type MessageFilter } from '../../server/src/features/messages/list-store.ts'
import { findMessage } from '../../server/src/features/messages/store.ts'
import type { Queries } from '../../server/src/platform/database/database.ts'
import { type Benchmark, type Effort, type Figure, judged, shown } from '../benchmark.ts'
import { type Business, makeBusinesses } from '../stage/businesses.ts'
import { historyDays, writeHistory } from '../stage/message-history.ts'
import { openPageCounter } from '../stage/pages-touched.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { timedGets } from '../stage/timed-gets.ts'
import { median, percentile } from '../statistics.ts'

const few = 100_000
const page = 20

/**
 * P10: the lists and look-ups of an account with 10,000,000 messages of a year, beside those of one with 100,000. Each has a database of its
 * own, written in the order of time: rows that are added in between later would lie on pages of their own, which is not how messages come.
 */
export const lists: Benchmark = {
  name: 'P10',
  title: 'lists and look-ups at 10,000,000 messages',
  minutes: 20,
  async run({ runs, quick, messages }: Effort): Promise<readonly Figure[]> {
    const [small, large] = quick ? [2_000, 10_000] : [few, messages]
    const before = await measure(small, 0)
    const after = await measure(large, runs, quick ? 20 : 300)
    const figures = askings.flatMap(({ what }, i): Figure[] => {
      const times = after.times[i] ?? []
      const pages = after.pages[i] ?? Number.NaN
      const p99 = times.map((each) => percentile(each, 0.99))
      return [
        ...(times.length === 0 ? [] : [judged(`${what}, p99`, 'ms', p99, { atMost: 20 })]),
        judged(`${what}, pages more than at ${small}`, '', [pages - (before.pages[i] ?? Number.NaN)], { atMost: 2 }),
        shown(`${what}, pages`, '', [pages]),
      ]
    })
    return [...figures, shown('messages', '', [large])]
  },
}

/** For each asking the pages that it touches, and the times of each run. */
type Measured = { pages: readonly number[]; times: readonly (readonly (readonly number[])[])[] }

async function measure(messages: number, runs: number, calls = 0): Promise<Measured> {
  const stage = await openStage()
  const business = present((await makeBusinesses(stage, { accounts: 1, numbersEach: 1, peopleEach: 1_000 }))[0], 'one was made')
  await writeHistory(stage, present(business.numbers[0], 'one was made'), messages)
  const drawn = await samplesOf(stage, business)
  const pages = await pagesOf(stage, business, drawn)
  const times: number[][][] = []
  for (const { path } of askings) {
    const each: number[][] = []
    for (let run = 0; path !== null && run < runs; run += 1)
      // The first ones plan the statement on each of the gateway's connections.
      each.push((await timedGets(stage.gateway.url, business.key, { paths: drawn.map(path), count: calls + 20 })).slice(20))
    times.push(each)
  }
  await stage.close()
  return { pages, times }
}

/** What is asked for: as a filter of the product's own statements (null: one message), and as a path of the contract (null: only its pages are counted). */
type Sample = { id: Uuid; at: Date; contactId: Uuid; digits: string; reference: string }
type Asking = { what: string; path: ((sample: Sample) => string) | null; filter: (sample: Sample) => Partial<MessageFilter> | null }

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
  { what: 'a person', path: ({ digits }) => list(`&phone=${digits}`), filter: ({ contactId }) => ({ contactIds: [contactId] }) },
  {
    what: 'a reference',
    path: ({ reference }) => list(`&client_reference=${reference}`),
    filter: ({ reference }) => ({ clientReference: reference }),
  },
  { what: 'what failed (1 in 100)', path: () => list('&status=failed'), filter: () => ({ status: 'failed' }) },
  { what: 'what waits, where nothing does', path: null, filter: () => ({ status: 'queued' }) },
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
async function pagesOf(stage: Stage, { accountId }: Business, drawn: readonly Sample[]): Promise<number[]> {
  const counter = await openPageCounter(stage.dataDir)
  const medians: number[] = []
  for (const { path, filter } of askings) {
    const counts: number[] = []
    for (const sample of path === null ? drawn.slice(0, 1) : drawn) {
      const before = counter.pages()
      await ask(counter.queries, accountId, { id: sample.id, filter: filter(sample) })
      counts.push(counter.pages() - before)
    }
    medians.push(median(counts))
  }
  await counter.close()
  return medians
}

async function ask(queries: Queries, accountId: Uuid, { id, filter }: { id: Uuid; filter: Partial<MessageFilter> | null }): Promise<void> {
  const all = { accountId, livemode: true, before: null, from: null, until: null }
  const any = { direction: null, status: null, contactIds: null, clientReference: null, source: null }
  if (filter === null) await findMessage(queries, accountId, true, id)
  else await listMessages({ ...queries, isOver: () => false }, { ...all, ...any, ...filter }, page + 1)
}
