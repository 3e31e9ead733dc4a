import { ActionIcon, Checkbox, Indicator, Popover, Select, Stack, Tooltip } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import { phoneWords } from '../../../ui/phone.ts'
import type { InboxSearch } from '../views.ts'

type Filter = Pick<InboxSearch, 'channel' | 'label' | 'unread'>
type Props = { filter: Filter; onFilter: (filter: Filter) => void }

/** Of which number, with which label, and whether only what is unread. */
export function Filters({ filter, onFilter }: Props) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const channels = useRead('GET /account/channels', {}, { enabled: can('channels:read'), staleTime: 60_000 }).data?.data ?? []
  const labels = useRead('GET /account/labels', {}).data?.data ?? []
  const used = [filter.channel, filter.label, filter.unread].filter((each) => each !== undefined).length
  const set = (change: { [Name in keyof Filter]: Filter[Name] | undefined }) => {
    const next = { ...filter, ...change }
    onFilter({
      ...(next.channel === undefined ? {} : { channel: next.channel }),
      ...(next.label === undefined ? {} : { label: next.label }),
      ...(next.unread === undefined ? {} : { unread: next.unread }),
    })
  }
  return (
    <Popover position="bottom-end" width={260} trapFocus withArrow>
      <Popover.Target>
        <Tooltip label={t('filter.action')}>
          <Indicator disabled={used === 0} label={used} size={16}>
            <ActionIcon
              variant={used === 0 ? 'default' : 'light'}
              size={36}
              aria-label={used === 0 ? t('filter.action') : t('filter.used', { count: used })}
            >
              <IconFilter size={16} />
            </ActionIcon>
          </Indicator>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('filter.action')}>
        <Stack gap="sm">
          <Select
            label={t('filter.channel')}
            placeholder={t('filter.all')}
            clearable
            value={filter.channel ?? null}
            data={channels.map(({ id, display_name, phone }) => ({
              value: id,
              label: [display_name, phoneWords(phone ?? '')].filter((each) => each !== null && each !== '').join(' · '),
            }))}
            onChange={(value) => set({ channel: value ?? undefined })}
            comboboxProps={{ withinPortal: false }}
          />
          <Select
            label={t('filter.label')}
            placeholder={t('filter.all')}
            clearable
            searchable
            value={filter.label ?? null}
            data={[...new Set([...labels.map((each) => each.label), ...(filter.label === undefined ? [] : [filter.label])])]}
            onChange={(value) => set({ label: value ?? undefined })}
            comboboxProps={{ withinPortal: false }}
          />
          <Checkbox
            label={t('filter.unread')}
            checked={filter.unread === true}
            onChange={(event) => set({ unread: event.currentTarget.checked ? true : undefined })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
