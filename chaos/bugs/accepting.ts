import type { PlantedBug } from './planted-bug.ts'

const messages = 'server/src/features/messages'

/** What answers a caller wrongly, or makes two sends of one. */
export const acceptingBugs: readonly PlantedBug[] = [
  {
    name: 'refusal-kept-under-its-key',
    breaks: 'rule send 4: only an accepted send is remembered',
    file: `${messages}/send.ts`,
    find: 'const contacts = await contactsFor(tx, clock, leaving)',
    replace: `for (const { accountId, livemode, idempotency } of fresh.filter((send) => results.get(send)?.ok === false && send.idempotency))
    await tx.all({
      compile: () => ({
        sql: "insert into idempotency (account_id, livemode, key, body_hash, status_code, response, expires_at) values ($1, $2, $3, $4, 422, '{}', 'infinity')",
        parameters: [accountId, livemode, idempotency.key, idempotency.bodyHash],
      }),
    })
  const contacts = await contactsFor(tx, clock, leaving)`,
    caughtBy: [`${messages}/send.test.ts`],
  },
  {
    name: 'body-hash-by-order-of-keys',
    breaks: 'I2: the same request with its fields in another order is one message',
    file: `${messages}/read-send.ts`,
    find: "hash('sha256', canonicalJson(body), 'buffer')",
    replace: "hash('sha256', JSON.stringify(body), 'buffer')",
    caughtBy: [`${messages}/read-send.test.ts`],
  },
  {
    name: 'key-shared-by-live-and-test',
    breaks: 'rule send 1: a key counts per account and mode',
    file: `${messages}/accept-store.ts`,
    find: 'and known.livemode = wanted.livemode and known.key = wanted.key',
    replace: 'and known.key = wanted.key',
    caughtBy: [`${messages}/send.test.ts`],
  },
  {
    name: 'key-shared-by-accounts',
    breaks: 'I13: what one account sent is not answered to another',
    file: `${messages}/accept-store.ts`,
    find: 'on known.account_id = wanted.account_id and known.livemode',
    replace: 'on known.livemode',
    caughtBy: [`${messages}/send.test.ts`],
  },
  {
    name: 'second-queue-row',
    breaks: 'I1: a batch that is written a second time sends nothing a second time',
    file: `${messages}/write-accepted.ts`,
    find: 'free.filter((each) => written.has(each.message.id))',
    replace: 'free',
    caughtBy: [`${messages}/send.test.ts`],
  },
  {
    name: 'message-of-another-account',
    breaks: 'I13: nothing of an account is told to another one',
    file: `${messages}/store.ts`,
    find: ".where('account_id', '=', accountId)\n      .where('id', '=', id)",
    replace: ".where('id', '=', id)",
    caughtBy: ['server/test/api/get-message.test.ts', 'server/test/whole/tenant-queries.test.ts'],
  },
  {
    name: 'people-locked-in-any-order',
    breaks: 'I17: two batches with the same people never wait for each other in a ring',
    file: 'server/src/features/contacts/key-store.ts',
    find: 'as fresh (account_id, livemode, key, id)\n  order by account_id, livemode, key',
    replace: 'as fresh (account_id, livemode, key, id)',
    caughtBy: ['server/src/features/contacts/order-of-locks.test.ts'],
  },
]
