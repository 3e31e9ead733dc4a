import type { PlantedBug } from './planted-bug.ts'

const usage = 'server/src/features/usage'

/** What makes the figures of usage another thing than the messages. */
export const countingBugs: readonly PlantedBug[] = [
  {
    name: 'moves-only-add',
    breaks: 'rule usage 5: what a message does not count for any more is taken back',
    file: `${usage}/usage.ts`,
    find: 'if (before !== null) countersOf(before).forEach(add(-1))',
    replace: '',
    caughtBy: [`${usage}/usage.test.ts`],
  },
  {
    name: 'lost-key-counted',
    breaks: 'rule usage 5: a send that lost its key to another request is not counted',
    file: 'server/src/features/messages/write-accepted.ts',
    find: 'fresh.map(({ message }) => ({ before: null',
    replace: 'sends.map(({ message }) => ({ before: null',
    caughtBy: ['server/src/features/messages/send.test.ts'],
  },
  {
    name: 'months-of-utc',
    breaks: 'rule usage 1: days and months are those of Brasília',
    file: 'server/src/base/brasilia.ts',
    find: "timeZone: 'America/Sao_Paulo'",
    replace: "timeZone: 'UTC'",
    caughtBy: ['server/src/base/brasilia.test.ts', 'server/test/api/get-usage.test.ts'],
  },
  {
    name: 'counters-locked-in-any-order',
    breaks: 'I17: two transactions that add to the same counters never wait for each other in a ring',
    file: `${usage}/store.ts`,
    find: 'as change (account_id, day, kind, detail, amount, words)\n  order by account_id, day, kind, detail',
    replace: 'as change (account_id, day, kind, detail, amount, words)',
    caughtBy: [`${usage}/counters.test.ts`],
  },
  {
    name: 'fold-forgets-what-was-folded',
    breaks: 'rule usage 5: folding changes no figure',
    file: `${usage}/store.ts`,
    find: 'set amount = usage.amount + excluded.amount, words = coalesce(excluded.words, usage.words)\n  )',
    replace: 'set amount = excluded.amount, words = coalesce(excluded.words, usage.words)\n  )',
    caughtBy: [`${usage}/counters.test.ts`],
  },
]
