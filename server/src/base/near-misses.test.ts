import { expect, test } from 'vitest'
import { nearMisses } from './near-misses.ts'

const known = ['to', 'type', 'channel_id', 'reply_to', 'client_reference', 'contact_name', 'text', 'template']

test.each([
  ['client_refrence', 'client_reference'],
  ['clientReference', 'client_reference'],
  ['chanel_id', 'channel_id'],
  ['replyto', 'reply_to'],
  ['tetx', 'text'],
  ['To', 'to'],
])('%s is nearly %s', (name, near) => expect(nearMisses([name], known)).toEqual([{ name, known: near }]))

test.each(['preview', 'ttl', 'tu', 'messaging', 'client_reference', 'x'.repeat(200), 'linha\nnova'])('%j is near to none', (name) =>
  expect(nearMisses([name], known)).toEqual([]),
)

test('of very many strange names a few are looked at', () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `client_referenc${i}`)
  expect(nearMisses(names, known).length).toBeLessThanOrEqual(50)
})
