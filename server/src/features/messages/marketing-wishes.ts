import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
import { optOutWordsAmong } from '../accounts/public.ts'
import { isOptOutWord, type Wish } from '../opt-outs/public.ts'
import type { Message } from './message.ts'

/** Upstream's word for: this person has stopped marketing messages from this business. */
const stoppedCode = 131050

/**
 * rule: opt-outs 6. Of live messages that have just failed those that upstream refused because their person stopped marketing. A test
 * message fails as its number says, the next one too.
 */
export function wishesOfFailures(failed: readonly Message[]): Wish[] {
  return failed
    .filter(({ livemode, status, error }) => livemode && status === 'failed' && error?.code === stoppedCode)
    .map(({ accountId, livemode, contactId, failedAt, createdAt }) => ({
      ...{ accountId, livemode, contactId, wanted: false, source: 'upstream' },
      at: failedAt ?? createdAt,
    }))
}

/** What an inbound message says, and when by upstream's clock. */
type Said = Pick<Message, 'accountId' | 'livemode' | 'contactId' | 'type' | 'text'> & { at: Date }

/** rule: opt-outs 5. Of what people wrote, or chose, those that are a word which opts out, where their account lets such words count. */
export async function wishesOfWords(queries: Queries, said: readonly Said[]): Promise<Wish[]> {
  const words = said.filter(({ type, text }) => type === 'text' && text !== null && isOptOutWord(text))
  if (words.length === 0) return []
  const accounts: Set<Uuid> = await optOutWordsAmong(queries, [...new Set(words.map((each) => each.accountId))])
  return words
    .filter(({ accountId }) => accounts.has(accountId))
    .map(({ accountId, livemode, contactId, at }) => ({ accountId, livemode, contactId, wanted: false, source: 'keyword', at }))
}
