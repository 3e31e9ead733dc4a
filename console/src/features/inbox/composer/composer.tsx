import type { Conversation, ConversationMessage } from '../../../api/planned-operations.ts'

type Props = { conversation: Conversation; replyTo: ConversationMessage | null; onClearReply: () => void }

/** Where the team writes its answers. */
export function Composer(_props: Props) {
  return null
}
