import type { PlantedBug } from './planted-bug.ts'

/** What costs more for each the more there are: one large batch then stops the event loop for everybody. */
export const growingBugs: readonly PlantedBug[] = [
  {
    name: 'who-is-who-asks-all-holders',
    breaks: 'who is who costs the same for each item of a batch',
    file: 'server/src/features/contacts/rules.ts',
    find: 'holders: holdersOf.get(name) ?? []',
    replace: 'holders: [...holders.values()].filter((each) => groups.of(each.id) === name)',
    caughtBy: ['server/src/features/contacts/linear.test.ts'],
  },
  {
    name: 'groups-grow-into-chains',
    breaks: 'a join costs the same however many came before',
    file: 'server/src/base/groups.ts',
    find: 'const [top, below] = sizeOf(a) < sizeOf(b) ? [b, a] : [a, b]',
    replace: 'const [top, below] = sizeOf(a) < sizeOf(b) ? [a, b] : [b, a]',
    caughtBy: ['server/src/features/contacts/linear.test.ts'],
  },
  {
    name: 'takers-copied-for-each',
    breaks: 'who takes keys over costs the same for each',
    file: 'server/src/features/contacts/rules.ts',
    find: 'const own = takers.get(name) ?? []',
    replace: 'const own = [...(takers.get(name) ?? [])]',
    caughtBy: ['server/src/features/contacts/linear.test.ts'],
  },
  {
    name: 'contact-sought-in-all',
    breaks: 'whose contact a message has costs the same however many a notice has',
    file: 'server/src/features/notices/parse.ts',
    find: 'return found.map((each) => personItem(kind, each, contacts, where, ownPhone))',
    replace: 'return found.map((each) => personItem(kind, each, contactsOf(listed ?? null) ?? contacts, where, ownPhone))',
    caughtBy: ['server/src/features/contacts/linear.test.ts'],
  },
  {
    name: 'text-sought-anew-for-each-mark',
    breaks: 'a text of a stranger costs an agent what its length costs',
    file: 'console/src/ui/whatsapp-text.ts',
    find: 'if (found < from) found = find(from)',
    replace: 'found = find(from)',
    caughtBy: ['console/test/linear.test.ts'],
  },
]
