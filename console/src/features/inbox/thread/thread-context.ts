import { createContext, useContext } from 'react'
import type { Conversation, TeamMessage } from '../../../api/generated/operations.ts'

/** What every line of a thread needs of the thread. */
export type ThreadTools = {
  conversation: Conversation
  /** Shows a message, loaded or not. */
  jump: (id: string) => void
  reply: (message: TeamMessage) => void
}

export const ThreadContext = createContext<ThreadTools | null>(null)

export function useThreadTools(): ThreadTools {
  const tools = useContext(ThreadContext)
  if (tools === null) throw new Error('this is in no thread')
  return tools
}
