import { expect, test } from 'vitest'
import { createGroups } from '../../base/groups.ts'
import type { Uuid } from '../../base/id.ts'
import { parseNotice } from '../notices/parse.ts'
import { type Contact, type ContactKey, type KnownKey, placeOf } from './contact.ts'
import { type Evidence, whoIsWho } from './rules.ts'

const accountId = 'account' as Uuid
const keyOf = (i: number) => `p:551190000${i}` as ContactKey
const evidence = (keys: ContactKey[]): Evidence => ({ accountId, livemode: true, keys, left: [], at: null })
const contact = (i: number): Contact => ({
  ...{ id: `contact${i}` as Uuid, phone: '', waId: null, userId: null, name: null, formerIds: [] },
})
const known = (count: number, more: Partial<KnownKey> = {}) =>
  new Map(
    Array.from({ length: count }, (_, i): [string, KnownKey] => [
      placeOf({ accountId, livemode: true }, keyOf(i)),
      { holder: contact(i), isLeft: false, changedAt: null, takenAt: null, ...more },
    ]),
  )
const each = (count: number) => Array.from({ length: count }, (_, i) => i)

const cases: { what: string; of: (count: number) => () => unknown }[] = [
  {
    what: 'messages of as many known people',
    of: (count) => () =>
      whoIsWho(
        each(count).map((i) => evidence([keyOf(i)])),
        known(count),
      ),
  },
  {
    what: 'messages from numbers that have changed hands',
    of: (count) => () =>
      whoIsWho(
        each(count).map((i) => evidence([keyOf(i)])),
        known(count, { takenAt: new Date(0) }),
      ),
  },
  {
    what: 'numbers that one person takes over',
    of: (count) => () =>
      whoIsWho([evidence(each(count).map(keyOf)), evidence([keyOf(0), 'u:BR.1' as ContactKey])], known(count, { isLeft: true })),
  },
  {
    what: 'groups that grow one by one',
    of: (count) => () => {
      const groups = createGroups()
      for (const i of each(count)) groups.join(`#${i}`, 'one')
      for (const i of each(count)) groups.of(`#${i}`)
    },
  },
  {
    what: 'messages of one notice with as many contacts',
    of: (count) => {
      const messages = each(count).map((i) => ({ id: `wamid.${i}`, from: String(i), type: 'text', text: { body: 'Oi' } }))
      const contacts = each(count).map((i) => ({ wa_id: String(count - i) }))
      const value = { metadata: { phone_number_id: '1' }, contacts, messages }
      const body = Buffer.from(JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] }))
      return () => parseNotice(body)
    },
  },
]

// Linear work takes some 100 ms; what grows with the square takes 10 s and more.
test.each(cases)('thirty thousand $what cost little more each than a few', ({ of }) => {
  const work = of(30_000)
  const beganMs = performance.now()
  work()
  expect(performance.now() - beganMs).toBeLessThan(4_000)
})
