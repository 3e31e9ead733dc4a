import { Checkbox, Select, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import { phoneWords } from '../../../ui/phone.ts'
import type { Filter } from '../views.ts'

/** The fields of the filter. */
export function FilterForm({ filter, onFilter }: { filter: Filter; onFilter: (filter: Filter) => void }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const channels = useRead('GET /account/channels', {}, { enabled: can('channels:read'), staleTime: 60_000 }).data?.data ?? []
  const labels = useRead('GET /account/labels', {}).data?.data ?? []
  const set = (change: { [Name in keyof Filter]: Filter[Name] | undefined }) => {
    const next = { ...filter, ...change }
    onFilter({
      ...(next.channel === undefined ? {} : { channel: next.channel }),
      ...(next.label === undefined ? {} : { label: next.label }),
      ...(next.unread === undefined ? {} : { unread: next.unread }),
    })
  }
  return (
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
  )
}
