import type { Conversation, TeamMessage } from '../../../api/generated/operations.ts'

type Props = { conversation: Conversation; replyTo: TeamMessage | null; onClearReply: () => void }

/** Where the team writes its answers. */
export function Composer(_props: Props) {
  return null
}
