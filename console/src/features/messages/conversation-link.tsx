import { Button } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import type { Message } from '../../api/generated/operations.ts'

/** Leads to the conversation that a message is part of; nothing where there is none. */
export function ConversationLink({ message: { id: messageId, channel_id: channelId, contact } }: { message: Message }) {
  const { t } = useTranslation('messages')
  const { id: accountId, can } = useAccount()
  const to = contact.phone === '' ? contact.user_id : `+${contact.phone}`
  const isAsked = to !== undefined && can('inbox:write')
  const found = useRead('GET /account/conversations/with', { query: { channel_id: channelId, to: to ?? '' } }, { enabled: isAsked })
  const conversationId = found.data?.conversation_id
  if (!conversationId) return null
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconMessages size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/a/$accountId/inbox/$conversationId" params={{ accountId, conversationId }} search={{ message: messageId }} />
      )}
    >
      {t('message.conversation')}
    </Button>
  )
}
