import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keyOf, useAccount, useChange } from '../../../api/account.ts'
import type { Conversation } from '../../../api/generated/operations.ts'

/** Marks what the person wrote as read, once somebody looks at it. */
export function useMarkRead(conversation: Conversation | undefined): void {
  const account = useAccount()
  const client = useQueryClient()
  const isLooking = useIsLooking()
  const { mutate } = useChange('POST /account/conversations/{id}/read', {
    invalidates: ['GET /account/conversations', 'GET /account/conversations/counts'],
    onSuccess: () => {
      if (conversation !== undefined)
        void client.invalidateQueries({ queryKey: keyOf(account, 'GET /account/conversations/{id}', { path: { id: conversation.id } }) })
    },
  })
  const canRead = account.can('inbox:write')
  const id = conversation?.id
  const unread = conversation?.unread ?? 0
  useEffect(() => {
    if (id !== undefined && unread > 0 && isLooking && canRead) mutate({ path: { id }, body: {} })
  }, [id, unread, isLooking, canRead, mutate])
}

/** Whether the page is seen and has the focus. */
function useIsLooking(): boolean {
  const [isLooking, setLooking] = useState(looks)
  useEffect(() => {
    const look = () => setLooking(looks())
    const events = [
      [window, 'focus'],
      [window, 'blur'],
      [document, 'visibilitychange'],
    ] as const
    for (const [target, name] of events) target.addEventListener(name, look)
    return () => {
      for (const [target, name] of events) target.removeEventListener(name, look)
    }
  }, [])
  return isLooking
}

const looks = () => document.visibilityState === 'visible' && document.hasFocus()
