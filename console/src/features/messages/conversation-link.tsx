import { Button } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'

/** Leads to the conversation that a message is part of, once there is one. */
export function ConversationLink({ messageId }: { messageId: string }) {
  const { t } = useTranslation('messages')
  const { id: accountId } = useAccount()
  const read = useRead('GET /account/messages/by-id', { query: { ids: messageId } })
  const conversationId = read.data?.data[0]?.conversation_id ?? null
  if (conversationId === null) return null
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconMessages size={16} />}
      renderRoot={(props) => <Link {...props} to="/a/$accountId/inbox/$conversationId" params={{ accountId, conversationId }} />}
    >
      {t('message.conversation')}
    </Button>
  )
}
