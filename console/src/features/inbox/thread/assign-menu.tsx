import { Avatar, Button, Menu } from '@mantine/core'
import { IconCheck, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import type { Conversation } from '../../../api/generated/operations.ts'
import { useMe } from '../../../api/me.ts'
import { initialsOf } from '../../../ui/initials.ts'
import { useChangeConversation } from '../use-change-conversation.ts'

/** Who looks after the conversation. */
export function AssignMenu({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const me = useMe().data?.user
  const [isOpen, setOpen] = useState(false)
  const members = useRead('GET /account/members', {}, { enabled: isOpen })
  const { change, isPending } = useChangeConversation()
  const { assignee } = conversation
  const name = assignee?.name ?? t('someone')
  const assign = (to: string | null) => change(conversation.id, { assignee: to })
  const others = (members.data?.data ?? []).filter((each) => each.user_id !== me?.id && each.role !== 'viewer')
  return (
    <Menu position="bottom-end" width={240} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button
          variant="default"
          size="compact-md"
          fz="sm"
          disabled={!can('inbox:write')}
          loading={isPending}
          leftSection={
            assignee === null ? (
              <IconUserPlus size={16} />
            ) : (
              <Avatar size={18} radius="xl" color="pombo" variant="filled" aria-hidden>
                {initialsOf(name)}
              </Avatar>
            )
          }
          aria-label={assignee === null ? t('assign.action') : t('assign.to', { name })}
          maw={180}
        >
          {assignee === null ? t('assign.action') : assignee.id === me?.id ? t('assign.you') : name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {me === undefined ? null : (
          <Menu.Item rightSection={assignee?.id === me.id ? <IconCheck size={16} /> : null} onClick={() => assign(me.id)}>
            {t('assign.to_me')}
          </Menu.Item>
        )}
        {others.map(({ user_id, name: memberName }) => (
          <Menu.Item key={user_id} rightSection={assignee?.id === user_id ? <IconCheck size={16} /> : null} onClick={() => assign(user_id)}>
            {memberName}
          </Menu.Item>
        ))}
        {assignee === null ? null : (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconUserMinus size={16} />} onClick={() => assign(null)}>
              {t('assign.to_nobody')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
