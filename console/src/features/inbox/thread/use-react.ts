import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { useErrorWords } from '../../../ui/states.tsx'
import { tellFailed } from '../../../ui/tell.ts'
import { useThreadTools } from './thread-context.ts'

/** Reacts to a message in the name of the business; an empty emoji takes the reaction back. */
export function useReact(message: TeamMessage): { mayReact: boolean; react: (emoji: string) => void } {
  const { t } = useTranslation('inbox')
  const { conversation } = useThreadTools()
  const { can } = useAccount()
  const words = useErrorWords()
  const send = useChange('POST /account/messages')
  const { phone, user_id } = conversation.contact
  return {
    mayReact: can('messages:send') && message.wamid !== null,
    react: (emoji) =>
      send.mutate(
        {
          body: {
            type: 'reaction',
            to: phone === '' ? (user_id ?? '') : phone,
            channel_id: conversation.channel_id,
            reaction: { message_id: message.id, emoji },
          },
        },
        { onError: (error) => tellFailed(t('react.failed'), words(error)) },
      ),
  }
}
