import type { Clock } from '../base/clock.ts'
import { formatId } from '../base/id.ts'
import type { JsonObject } from '../base/json.ts'
import { invalidField, type Refusal, refusal } from '../base/refusal.ts'
import { ok, type Result, refused } from '../base/result.ts'
import { listSetAside, replayItem, replaySince, type SetAsideItem } from '../features/notices/public.ts'
import { parseTime } from '../platform/http/query.ts'
import { readId } from './arguments.ts'
import type { Command, Output } from './command.ts'
import { moment, table } from './layout.ts'

const listedDefault = 50
const listedMax = 1_000

export const noticesCommands: readonly Command[] = [
  {
    name: 'notices list',
    meaning: 'List what upstream told and could not be worked through, the newest first.',
    argument: null,
    flags: [{ name: 'limit', value: 'N', meaning: `So many at most: 1 to ${listedMax}. Without it: ${listedDefault}.` }],
    async run({ withDatabase }, given) {
      const limit = readLimit(given.text('limit'))
      if (!limit.ok) return limit
      // One more, which says that there are more.
      const found = await withDatabase(({ database }) => listSetAside(database, limit.value + 1))
      const items = found.slice(0, limit.value)
      const rows = items.map((each) => [
        formatId('itm', each.id),
        moment(each.createdAt, '-'),
        each.accountId === null ? '-' : formatId('acc', each.accountId),
        each.replaying ? `${each.field} (replaying)` : each.field,
        oneLine(each.reason),
      ])
      const more = found.length > items.length ? '\nThere are more (see --limit).' : ''
      const text = table(['id', 'set aside', 'account', 'what', 'reason'], rows, 'Nothing lies set aside.') + more
      return ok({ json: { object: 'list', data: items.map(itemJson), has_more: more !== '' }, text })
    },
  },
  {
    name: 'notices replay',
    meaning: 'Have the gateway work notices through again: one that lies set aside, or all since a moment.',
    argument: '[ID]',
    flags: [
      { name: 'since', value: 'T', meaning: 'All that came since: a time such as 2026-11-27T21:11:41Z, or a while such as 30m, 2h or 3d.' },
    ],
    async run({ clock, withDatabase }, given): Promise<Result<Output, Refusal>> {
      const since = given.text('since')
      if ((given.argument === '') === (since === null))
        return refused(refusal('invalid_request', 'Give the id of an item (see notices list), or --since T for all notices since then.'))
      if (since === null) {
        const id = readId('itm', given.argument, 'id')
        if (!id.ok) return id
        const replayed = await withDatabase(({ database }) => replayItem({ database, clock }, id.value))
        return replayed.ok ? ok(told(replayed.value)) : replayed
      }
      const from = readSince(since, clock)
      if (!from.ok) return from
      return ok(told(await withDatabase(({ database }) => replaySince({ database, clock }, from.value))))
    },
  },
]

function told(replayed: number): Output {
  const text =
    replayed === 0
      ? 'There is nothing to replay that does not wait for it already.'
      : `${replayed === 1 ? '1 notice is' : `${replayed} notices are`} worked through again by the gateway, whenever no new one waits.`
  return { json: { replayed }, text }
}

function readLimit(text: string | null): Result<number, Refusal> {
  if (text === null) return ok(listedDefault)
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= listedMax ? ok(limit) : refused(invalidField('limit', `The flag --limit is 1 to ${listedMax}.`))
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function readSince(text: string, clock: Clock): Result<Date, Refusal> {
  const now = clock.now()
  const [, count, unit] = /^([0-9]{1,4})([mhd])$/.exec(text) ?? []
  const since = count === undefined ? parseTime(text) : new Date(now.getTime() - Number(count) * (unitsMs[unit ?? ''] ?? 0))
  if (since === null)
    return refused(invalidField('since', 'The flag --since is a time such as 2026-11-27T21:11:41Z, or a while such as 30m, 2h or 3d.'))
  return since > now ? refused(invalidField('since', 'The flag --since lies in the future.')) : ok(since)
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

function itemJson(item: SetAsideItem): JsonObject {
  return {
    object: 'notice_item',
    id: formatId('itm', item.id),
    account_id: item.accountId === null ? null : formatId('acc', item.accountId),
    livemode: item.livemode,
    field: item.field,
    reason: item.reason,
    awaits_phone_number_id: item.awaitsNumber,
    replaying: item.replaying,
    created_at: item.createdAt.toISOString(),
  }
}
