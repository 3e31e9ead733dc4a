import { Box, Button, Group, Text } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconMessages, IconRefresh } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useReadList } from '../../api/account.ts'
import type { Message } from '../../api/generated/operations.ts'
import { Clipped } from '../../ui/clipped.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { MessageFilters } from './message-filters.tsx'
import { MessageStatus } from './message-status.tsx'
import { queryOf } from './search.ts'

const pageSize = 50
/** More than a cell and its hint hold. */
const charsShown = 300

/** The log of all messages of the account, in both directions. */
export function MessagesPage() {
  const { t } = useTranslation('messages')
  const { id: accountId } = useAccount()
  const navigate = useNavigate()
  const search = useSearch({ from: '/a/$accountId/messages' })
  const read = useReadList('GET /account/messages', { query: { ...queryOf(search), limit: pageSize } })
  const isFiltered = Object.keys(search).length > 0
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={read.isRefetching && !read.isFetchingNextPage}
          onClick={() => void read.refetch()}
        >
          {t('refresh')}
        </Button>
      }
    >
      <MessageFilters
        search={search}
        problems={fieldErrors(read.error)}
        onChange={(next) => void navigate({ to: '/a/$accountId/messages', params: { accountId }, search: next, replace: true })}
      />
      <Panel padding={0}>
        <DataTable
          label={t('title')}
          columns={useColumns()}
          rows={read.items}
          idOf={(message) => message.id}
          read={read}
          linkOf={({ id }) => ({ to: '/a/$accountId/messages/$messageId', params: { accountId, messageId: id } })}
          empty={
            <Empty icon={<IconMessages size={32} />} title={isFiltered ? t('none_found.title') : t('none.title')}>
              {isFiltered ? t('none_found.text') : t('none.text')}
            </Empty>
          }
        />
      </Panel>
    </Page>
  )
}

function useColumns(): readonly Column<Message>[] {
  const { t } = useTranslation('messages')
  return [
    { name: 'person', head: t('column.person'), isTitle: true, cell: (message) => <Person message={message} /> },
    {
      name: 'content',
      head: t('column.content'),
      cell: ({ text, type }) => (
        <Clipped maw={{ base: 170, lg: 240, xl: 320 }} c={text === null ? 'var(--muted)' : 'inherit'}>
          {text?.slice(0, charsShown) ?? t(`type.${type}`)}
        </Clipped>
      ),
    },
    { name: 'status', head: t('column.status'), cell: ({ status }) => <MessageStatus status={status} /> },
    {
      name: 'source',
      head: t('column.source'),
      isWideOnly: true,
      isRoomyOnly: true,
      cell: ({ source, direction }) => (direction === 'inbound' ? '–' : t(`source.${source}`)),
    },
    {
      name: 'reference',
      head: t('column.reference'),
      isRoomyOnly: true,
      cell: ({ client_reference: reference }) => <Clipped maw={{ base: 90, lg: 120, xl: 160 }}>{reference ?? '–'}</Clipped>,
    },
    {
      name: 'at',
      head: t('column.at'),
      cell: ({ created_at: at }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <Ago at={at} />
        </span>
      ),
    },
  ]
}

function Person({ message: { direction, contact } }: { message: Message }) {
  const { t } = useTranslation('messages')
  const phone = contact.phone === '' ? (contact.user_id ?? '') : phoneWords(contact.phone)
  const Arrow = direction === 'inbound' ? IconArrowDownLeft : IconArrowUpRight
  return (
    <Group gap="xs" wrap="nowrap">
      <Arrow size={18} role="img" aria-label={t(`direction.${direction}`)} style={{ flexShrink: 0 }} />
      <Box style={{ minWidth: 0 }}>
        <Clipped fw={500} maw={{ base: 170, lg: 190, xl: 240 }}>
          {contact.name ?? phone}
        </Clipped>
        {contact.name === null ? null : (
          <Text size="xs" c="var(--muted)" style={{ whiteSpace: 'nowrap' }}>
            {phone}
          </Text>
        )}
      </Box>
    </Group>
  )
}
