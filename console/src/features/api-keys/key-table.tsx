import { ActionIcon, Badge, Box, Code, Group, Text, Tooltip } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Ago } from '../../ui/time.tsx'
import { type ApiKey, wordOf } from './key.ts'

type Props = {
  label: string
  keys: readonly ApiKey[]
  read: { isPending: boolean; error: unknown; refetch: () => unknown }
  empty: ReactNode
  onRevoke?: ((key: ApiKey) => void) | undefined
}

export function KeyTable({ label, keys, read, empty, onRevoke }: Props) {
  const { t } = useTranslation('api-keys')
  const columns: Column<ApiKey>[] = [
    { name: 'name', head: t('column.name'), cell: (key) => <Name apiKey={key} />, isTitle: true },
    { name: 'mode', head: t('column.mode'), cell: (key) => <Mode isLive={key.livemode} /> },
    { name: 'scopes', head: t('column.scopes'), cell: (key) => <Scopes apiKey={key} /> },
    { name: 'used', head: t('column.used'), cell: (key) => (key.last_used_at === null ? t('never_used') : <Ago at={key.last_used_at} />) },
    { name: 'created', head: t('column.created'), cell: (key) => <Ago at={key.created_at} /> },
  ]
  if (keys.some((key) => key.revoked_at !== null))
    columns.push({ name: 'revoked', head: t('column.revoked'), cell: (key) => <Ago at={key.revoked_at} /> })
  if (onRevoke !== undefined)
    columns.push({ name: 'actions', head: t('column.actions'), cell: (key) => <Revoke apiKey={key} onRevoke={onRevoke} />, isNumber: true })
  return <DataTable label={label} columns={columns} rows={keys} idOf={(key) => key.id} read={read} empty={empty} />
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('api-keys')
  return (
    <Box>
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        {apiKey.name ?? t('unnamed')}
      </Text>
      {apiKey.hint === null ? null : <Code fz="xs">…{apiKey.hint}</Code>}
    </Box>
  )
}

function Mode({ isLive }: { isLive: boolean }) {
  const { t } = useTranslation('api-keys')
  return (
    <Badge variant="outline" color={isLive ? 'pombo' : 'gray'} style={isLive ? undefined : { color: 'var(--muted)' }}>
      {isLive ? t('mode.live.name') : t('mode.test.name')}
    </Badge>
  )
}

function Scopes({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('api-keys')
  if (apiKey.scopes === null) return t('access.all.name')
  return (
    <Text size="sm" maw={280}>
      {apiKey.scopes.map((scope) => t(`scope.${wordOf(scope)}.name`)).join(', ')}
    </Text>
  )
}

function Revoke({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: (key: ApiKey) => void }) {
  const { t } = useTranslation('api-keys')
  return (
    <Group justify="flex-end">
      <Tooltip label={t('revoke.action')}>
        <ActionIcon
          variant="subtle"
          color="red"
          size={40}
          onClick={() => onRevoke(apiKey)}
          aria-label={t('revoke.of', { name: apiKey.name ?? t('unnamed') })}
        >
          <IconTrash size={18} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
