import { Button } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import type { Message } from '../../api/generated/operations.ts'
import { useErrorWords } from '../../ui/states.tsx'
import { tellFailed } from '../../ui/tell.ts'

/** Leads to the conversation that a message is part of. */
export function ConversationLink({ message: { id: messageId, channel_id: channelId, contact } }: { message: Message }) {
  const { t } = useTranslation('messages')
  const { id: accountId, can } = useAccount()
  const navigate = useNavigate()
  const errorWords = useErrorWords()
  const open = useChange('POST /account/conversations', {
    onSuccess: ({ id }) =>
      void navigate({
        to: '/a/$accountId/inbox/$conversationId',
        params: { accountId, conversationId: id },
        search: { message: messageId },
      }),
  })
  const to = contact.phone === '' ? contact.user_id : contact.phone
  if (to === undefined || !can('inbox:write')) return null
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconMessages size={16} />}
      loading={open.isPending}
      onClick={() => open.mutate({ body: { channel_id: channelId, to } }, { onError: (error) => tellFailed(errorWords(error)) })}
    >
      {t('message.conversation')}
    </Button>
  )
}
