import { Autocomplete, Box, Group, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead, useReadList } from '../../api/account.ts'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Calls } from './calls.tsx'

const statusClasses = ['2xx', '4xx', '5xx'] as const
type StatusClass = (typeof statusClasses)[number]

/** Who types a route is not asked at each letter. */
const typingMs = 400
const refetchMs = 10_000
/** Who has turned pages is reading: they are left as they are. */
const refetchedItemsMax = 50
const limit = 50

/** What the company's system has called, newest first. */
export function RequestLogPage() {
  const { t } = useTranslation('request-log')
  const keys = useRead('GET /account/api-keys', {})
  const [status, setStatus] = useState<StatusClass | null>(null)
  const [keyId, setKeyId] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [route] = useDebouncedValue(typed.trim(), typingMs)
  const read = useReadList(
    'GET /account/request-log',
    {
      query: {
        limit,
        ...(status === null ? {} : { status }),
        ...(keyId === null ? {} : { key_id: keyId }),
        ...(route === '' ? {} : { route }),
      },
    },
    { refetchInterval: (items) => items.length <= refetchedItemsMax && refetchMs },
  )
  const names = new Map((keys.data?.data ?? []).map((key) => [key.id, key.name ?? (key.hint === null ? t('unnamed') : `…${key.hint}`)]))
  const routes = [...new Set(read.items.map((call) => call.route))].toSorted()
  const clear = { clearable: true, clearButtonProps: { 'aria-label': t('filter.clear') } } as const
  return (
    <Page title={t('title')} intro={t('intro')}>
      <Panel padding={0}>
        <Group gap="sm" p="md">
          <Select
            aria-label={t('filter.status')}
            placeholder={t('filter.any_status')}
            data={statusClasses.map((value) => ({ value, label: t(`status.${value}`) }))}
            value={status}
            onChange={setStatus}
            {...clear}
          />
          <Select
            aria-label={t('filter.key')}
            placeholder={t('filter.any_key')}
            data={[...names].map(([value, label]) => ({ value, label }))}
            value={keyId}
            onChange={setKeyId}
            {...clear}
          />
          <Autocomplete
            aria-label={t('filter.route')}
            placeholder={t('filter.any_route')}
            data={routes}
            value={typed}
            onChange={setTyped}
            w={260}
            {...clear}
          />
        </Group>
        <Box style={{ borderTop: '1px solid var(--line)' }}>
          <Calls read={read} names={names} isFiltered={status !== null || keyId !== null || route !== ''} />
        </Box>
      </Panel>
    </Page>
  )
}
