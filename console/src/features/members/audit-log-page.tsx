import { Anchor, Badge, Code, Group, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useReadList } from '../../api/account.ts'
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

/** The operation in plain words, whether it came about, and what it was about. */
function Deed({ entry }: { entry: Entry }) {
  const { t } = useTranslation('members')
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {t(`audit.operation.${entry.operation}`, { defaultValue: entry.operation })}
        {entry.failed ? (
          <Badge ml={8} color="red" variant="light">
            {t('audit.failed')}
          </Badge>
        ) : null}
      </Text>
      <About entry={entry} />
    </Stack>
  )
}

/** What it was about, by the names that were written down then; of older entries, which have none, the ids. */
function About({ entry }: { entry: Entry }) {
  const { t, i18n } = useTranslation('members')
  const { t: tPeople } = useTranslation('people')
  const { id: accountId } = useAccount()
  const { about, targets } = entry
  const said = Object.entries(about).map(([name, value]) => {
    if (name === 'role') return tPeople(`role.${value}.name`)
    if (name === 'snoozed_until' && value !== 'no')
      return t('audit.about.snoozed_until', { value: new Date(value).toLocaleString(i18n.language) })
    if (name === 'assignee' && value === 'nobody') return t('audit.nobody')
    if (name === 'snoozed_until') return t('audit.not_snoozed')
    if (name in closedValues) return t(`audit.value.${name}.${value}`, { defaultValue: value })
    return named.includes(name) ? t(`audit.about.${name}`, { value }) : value
  })
  const ids = Object.values(targets)
  const conversation = ids.find((id) => id.startsWith('cnv_'))
  return (
    <Group gap={6}>
      {said.length === 0 ? null : (
        <Text size="xs" c="var(--muted)" fw={400} style={{ overflowWrap: 'anywhere' }}>
          {said.join(' · ')}
        </Text>
      )}
      {said.length > 0
        ? null
        : ids.map((id) => (
            <Code key={id} fz="xs" fw={400}>
              {id}
            </Code>
          ))}
      {conversation === undefined ? null : (
        <Anchor
          size="xs"
          renderRoot={(props) => (
            <Link {...props} to="/a/$accountId/inbox/$conversationId" params={{ accountId, conversationId: conversation }} />
          )}
        >
          {t('audit.open')}
        </Anchor>
      )}
    </Group>
  )
}

/** Values of a closed list, which have words of their own. */
const closedValues: Readonly<Record<string, true>> = { mode: true, state: true, enabled: true, step: true, kind: true }
const named = ['assignee', 'labels', 'snoozed_until']
