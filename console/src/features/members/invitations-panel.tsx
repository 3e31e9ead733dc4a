import { Badge, Box, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/account.ts'
import type { Answer } from '../../api/client.ts'
import { Clipped } from '../../ui/clipped.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import { Ago } from '../../ui/time.tsx'
import { RowAction } from './row-action.tsx'

type Invitation = Answer<'GET /account/invitations'>['data'][number]

/** Who may still join, and the way to take that back. */
export function InvitationsPanel() {
  const { t } = useTranslation('members')
  const { t: tPeople } = useTranslation('people')
  const words = useErrorWords()
  const invitations = useRead('GET /account/invitations', {})
  const revoke = useChange('DELETE /account/invitations/{id}', { invalidates: ['GET /account/invitations'] })
  const [asked, setAsked] = useState<Invitation | null>(null)
  const columns: Column<Invitation>[] = [
    {
      name: 'email',
      head: t('invitations.email'),
      isTitle: true,
      cell: ({ email }) => <Clipped maw={{ base: 200, lg: 320 }}>{email}</Clipped>,
    },
    { name: 'role', head: t('people.role'), cell: ({ role }) => <Badge variant="light">{tPeople(`role.${role}.name`)}</Badge> },
    { name: 'created', head: t('invitations.created'), cell: ({ created_at }) => <Ago at={created_at} /> },
    { name: 'expires', head: t('invitations.expires'), cell: ({ expires_at }) => <Ago at={expires_at} /> },
    {
      name: 'actions',
      head: t('people.actions'),
      isNumber: true,
      cell: (invitation) => (
        <Box mr={-10}>
          <RowAction isGrave label={t('invitations.revoke_of', { email: invitation.email })} onClick={() => setAsked(invitation)}>
            {t('invitations.revoke')}
          </RowAction>
        </Box>
      ),
    },
  ]
  const confirmed = (id: string) =>
    revoke.mutate(
      { path: { id }, body: {} },
      {
        onSuccess: () => tellDone(t('invitations.revoked')),
        onError: (error) => tellFailed(words(error)),
        onSettled: () => setAsked(null),
      },
    )
  return (
    <Panel title={t('invitations.title')} intro={t('invitations.intro')} padding={0}>
      <DataTable
        label={t('invitations.title')}
        columns={columns}
        rows={invitations.data?.data ?? []}
        idOf={({ id }) => id}
        empty={
          <Text size="sm" c="var(--muted)" px="md" pb="md">
            {t('invitations.none')}
          </Text>
        }
        read={invitations}
      />
      {asked === null ? null : (
        <Confirm
          opened
          title={t('invitations.revoke_of', { email: asked.email })}
          action={t('invitations.revoke')}
          isBusy={revoke.isPending}
          onConfirm={() => confirmed(asked.id)}
          onClose={() => setAsked(null)}
        >
          {t('invitations.revoke_text')}
        </Confirm>
      )}
    </Panel>
  )
}
