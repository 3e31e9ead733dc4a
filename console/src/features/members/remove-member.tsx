import { Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import { useMeAgain } from '../../api/me.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { RefusalWords } from '../../ui/refusal-words.tsx'
import { useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import { FreedNote } from './freed-note.tsx'
import type { Member } from './member.ts'

const conversationReads = ['GET /account/conversations', 'GET /account/conversations/counts'] as const

/** Takes somebody out of the account; or oneself, who then goes to where they still belong. */
export function RemoveMember({ member, isMe, onClose }: { member: Member; isMe: boolean; onClose: () => void }) {
  const { t } = useTranslation('members')
  const account = useAccount()
  const words = useErrorWords()
  const meAgain = useMeAgain()
  const navigate = useNavigate()
  const remove = useChange('DELETE /account/members/{user_id}', isMe ? {} : { invalidates: ['GET /account/members', ...conversationReads] })
  const leave = async () => {
    await meAgain()
    await navigate({ to: '/' })
  }
  const confirmed = () =>
    remove.mutate(
      { path: { user_id: member.user_id }, body: {} },
      {
        onSuccess: () => {
          tellDone(isMe ? t('remove.left', { account: account.name }) : t('remove.done', { name: member.name }))
          onClose()
          if (isMe) void leave()
        },
        onError: (error) => {
          tellFailed(words(error), <RefusalWords error={error} />)
          onClose()
        },
      },
    )
  return (
    <Confirm
      opened
      title={isMe ? t('remove.leave') : t('remove.of', { name: member.name })}
      action={isMe ? t('remove.leave') : t('remove.open')}
      isBusy={remove.isPending}
      onConfirm={confirmed}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text size="sm">
          {isMe ? t('remove.leave_text', { account: account.name }) : t('remove.text', { name: member.name, account: account.name })}
        </Text>
        <FreedNote userId={member.user_id} />
      </Stack>
    </Confirm>
  )
}
