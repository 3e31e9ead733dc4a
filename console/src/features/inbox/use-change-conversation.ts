import { useQueryClient } from '@tanstack/react-query'
import { keyOf, useAccount, useChange } from '../../api/account.ts'
import type { Input } from '../../api/client.ts'
import { useErrorWords } from '../../ui/states.tsx'
import { tellFailed } from '../../ui/tell.ts'

type Change = Input<'PATCH /account/conversations/{id}'>['body']

/** Changes what the team knows of a conversation, and says when that is refused. */
export function useChangeConversation(): { change: (id: string, body: Change) => void; isPending: boolean } {
  const account = useAccount()
  const client = useQueryClient()
  const words = useErrorWords()
  const change = useChange('PATCH /account/conversations/{id}', {
    invalidates: ['GET /account/conversations', 'GET /account/conversations/counts', 'GET /account/labels'],
    onSuccess: (conversation) =>
      client.setQueryData(keyOf(account, 'GET /account/conversations/{id}', { path: { id: conversation.id } }), conversation),
  })
  return {
    change: (id, body) => change.mutate({ path: { id }, body }, { onError: (error) => tellFailed(words(error)) }),
    isPending: change.isPending,
  }
}
