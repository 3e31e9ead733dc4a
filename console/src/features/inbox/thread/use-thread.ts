import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useAccount } from '../../../api/account.ts'
import { call } from '../../../api/client.ts'
import type { Conversation, TeamMessage } from '../../../api/generated/operations.ts'
import { useLiveEvents } from '../../../api/live.ts'
import { createThread, type Thread, type ThreadState } from './thread-store.ts'

/** So many threads are kept, so that going back to one shows it at once. */
const threadsMax = 12

/** The thread of a conversation, kept fresh by what the stream tells. `topmost` says what to stay at when it must be read anew; null: at the end. */
export function useThread(
  conversation: Conversation,
  around: string | null,
  topmost: () => string | null,
): ThreadState & { thread: Thread } {
  const { id: accountId, mode } = useAccount()
  const conversationId = conversation.id
  const latest = useRef(conversation)
  latest.current = conversation
  const client = useQueryClient()
  const thread = useMemo(() => {
    const key = `${accountId} ${mode} ${conversationId}`
    const kept = threadsOf(client)
    const known = kept.get(key)
    const found =
      known ??
      createThread({
        read: (query) => call('GET /account/conversations/{id}/messages', { path: { id: conversationId }, query }, { accountId, mode }),
        readById: async (ids) => {
          const { data } = await call('GET /account/messages/by-id', { query: { ids: ids.join(',') } }, { accountId, mode })
          return data.filter((each) => isOf(latest.current, each))
        },
      })
    kept.delete(key)
    kept.set(key, found)
    for (const old of kept.keys()) if (kept.size > threadsMax) kept.delete(old)
    return found
  }, [accountId, mode, conversationId, client])

  useEffect(() => {
    if (around !== null) {
      if (!thread.getState().messages.some((each) => each.id === around)) void thread.open(around)
    } else if (thread.getState().messages.length === 0) void thread.open(null)
    // It was shown before: what happened since is not in it.
    else void thread.renew(null)
  }, [thread, around])

  useLiveEvents((event) => {
    if (event.kind === 'reset') return void thread.renew(topmost())
    const ids = event.conversations.length > 0 && !event.conversations.includes(conversationId) ? [] : event.messages
    if (ids.length > 0) thread.refresh(ids).catch(() => thread.renew(topmost()))
  })

  const state = useSyncExternalStore(
    useCallback((listener: () => void) => thread.subscribe(listener), [thread]),
    thread.getState,
  )
  return useMemo(() => ({ ...state, thread }), [state, thread])
}

/** Whether a message is of the person and the number of this conversation. */
function isOf({ channel_id, contact }: Conversation, message: TeamMessage): boolean {
  const { phone, user_id } = message.contact
  return message.channel_id === channel_id && (phone === '' ? user_id === contact.user_id : phone === contact.phone)
}

/** The threads of this page, forgotten with its client. */
const all = new WeakMap<object, Map<string, Thread>>()

function threadsOf(client: object): Map<string, Thread> {
  const kept = all.get(client) ?? new Map<string, Thread>()
  all.set(client, kept)
  return kept
}
