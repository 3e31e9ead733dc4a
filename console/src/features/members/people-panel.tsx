import { Avatar, Badge, Box, Group, Text } from '@mantine/core'
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { useMe } from '../../api/me.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { ChangeRole } from './change-role.tsx'
import type { Member } from './member.ts'
import { RemoveMember } from './remove-member.tsx'
import { RowAction } from './row-action.tsx'

type Asked = { deed: 'change_role' | 'remove'; member: Member }

export function PeoplePanel() {
  const { t } = useTranslation('members')
  const { t: tPeople } = useTranslation('people')
  const { can } = useAccount()
  const mine = useMe().data?.user.id
  const members = useRead('GET /account/members', {})
  const [asked, setAsked] = useState<Asked | null>(null)
  const mayManage = can('members:write')
  const columns: Column<Member>[] = [
    {
      name: 'person',
      head: t('people.person'),
      isTitle: true,
      cell: (member) => <Person member={member} isMe={member.user_id === mine} />,
    },
    { name: 'role', head: t('people.role'), cell: ({ role }) => <Badge variant="light">{tPeople(`role.${role}.name`)}</Badge> },
    { name: 'two_factor', head: t('people.two_factor'), cell: ({ two_factor }) => <TwoFactor isOn={two_factor} /> },
    { name: 'since', head: t('people.since'), cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      name: 'actions',
      head: t('people.actions'),
      isNumber: true,
      cell: (member) => (
        <Group gap={0} justify="flex-end" wrap="nowrap" mr={-10}>
          {mayManage && member.user_id !== mine ? (
            <RowAction label={t('change_role.of', { name: member.name })} onClick={() => setAsked({ deed: 'change_role', member })}>
              {t('change_role.open')}
            </RowAction>
          ) : null}
          {member.user_id === mine ? (
            <RowAction isGrave label={t('remove.leave')} onClick={() => setAsked({ deed: 'remove', member })}>
              {t('remove.leave')}
            </RowAction>
          ) : null}
          {mayManage && member.user_id !== mine ? (
            <RowAction isGrave label={t('remove.of', { name: member.name })} onClick={() => setAsked({ deed: 'remove', member })}>
              {t('remove.open')}
            </RowAction>
          ) : null}
        </Group>
      ),
    },
  ]
  return (
    <Panel padding={0}>
      <DataTable
        label={t('people.title')}
        columns={columns}
        rows={members.data?.data ?? []}
        idOf={({ user_id }) => user_id}
        empty={<Empty title={t('people.none')} />}
        read={members}
      />
      {asked?.deed === 'change_role' ? <ChangeRole member={asked.member} onClose={() => setAsked(null)} /> : null}
      {asked?.deed === 'remove' ? (
        <RemoveMember member={asked.member} isMe={asked.member.user_id === mine} onClose={() => setAsked(null)} />
      ) : null}
    </Panel>
  )
}

function Person({ member, isMe }: { member: Member; isMe: boolean }) {
  const { t } = useTranslation('members')
  return (
    <Group gap="sm" wrap="nowrap">
      <Avatar name={member.name} color="pombo" size={34} radius="xl" aria-hidden="true" />
      <Box style={{ minWidth: 0 }}>
        <Group gap={6}>
          <Text size="sm" fw={600}>
            {member.name}
          </Text>
          {isMe ? (
            <Badge size="sm" color="gray" variant="light">
              {t('people.you')}
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="var(--muted)" fw={400} style={{ overflowWrap: 'anywhere' }}>
          {member.email}
        </Text>
      </Box>
    </Group>
  )
}

function TwoFactor({ isOn }: { isOn: boolean }) {
  const { t } = useTranslation('members')
  return (
    <Group gap={6} wrap="nowrap" component="span" style={{ display: 'inline-flex' }}>
      {isOn ? <IconShieldCheck size={16} color="var(--mantine-primary-color-filled)" /> : <IconShieldOff size={16} color="var(--muted)" />}
      {isOn ? t('people.two_factor_on') : t('people.two_factor_off')}
    </Group>
  )
}
