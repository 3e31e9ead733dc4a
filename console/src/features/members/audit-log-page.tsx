import { Code, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead, useReadList } from '../../api/account.ts'
import type { Answer } from '../../api/client.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Moment } from '../../ui/time.tsx'

type Entry = Answer<'GET /account/audit-log'>['data'][number]

/** Who did what in the account, when and from where. */
export function AuditLogPage() {
  const { t } = useTranslation('members')
  const entries = useReadList('GET /account/audit-log', { query: { limit: 50 } })
  const columns: Column<Entry>[] = [
    { name: 'deed', head: t('audit.deed'), isTitle: true, cell: (entry) => <Deed entry={entry} /> },
    {
      name: 'who',
      head: t('audit.who'),
      cell: ({ user }) => (
        <>
          <Text size="sm">{user.name ?? t('audit.unknown_person')}</Text>
          <Text size="xs" c="var(--muted)">
            {user.email}
          </Text>
        </>
      ),
    },
    { name: 'when', head: t('audit.when'), cell: ({ at }) => <Moment at={at} /> },
    { name: 'address', head: t('audit.address'), cell: ({ address }) => <Text size="sm">{address}</Text> },
  ]
  return (
    <Page title={t('audit.title')} intro={t('audit.intro')}>
      <Panel padding={0}>
        <DataTable
          label={t('audit.title')}
          columns={columns}
          rows={entries.items}
          idOf={({ id }) => id}
          empty={<Empty title={t('audit.none')}>{t('audit.none_text')}</Empty>}
          read={entries}
        />
      </Panel>
    </Page>
  )
}

/** The operation in plain words, and what it was about: a member by name, anything else by its id. */
function Deed({ entry }: { entry: Entry }) {
  const { t } = useTranslation('members')
  const members = useRead('GET /account/members', {})
  const nameOf = (id: string) => members.data?.data.find(({ user_id }) => user_id === id)?.name
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {t(`audit.operation.${entry.operation}`, { defaultValue: entry.operation })}
      </Text>
      <Group gap={6}>
        {Object.values(entry.targets).map((target) => {
          const name = nameOf(target)
          return name === undefined ? (
            <Code key={target} fz="xs" fw={400}>
              {target}
            </Code>
          ) : (
            <Text key={target} size="xs" c="var(--muted)" fw={400}>
              {name}
            </Text>
          )
        })}
      </Group>
    </Stack>
  )
}
