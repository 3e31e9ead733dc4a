import { ActionIcon, Indicator, Loader, Popover } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Filter } from '../views.ts'

/** Loaded when it is first opened. */
const FilterForm = lazy(async () => ({ default: (await import('./filter-form.tsx')).FilterForm }))

type Props = { filter: Filter; onFilter: (filter: Filter) => void }

/** Of which number, with which label, and whether only what is unread. */
export function Filters({ filter, onFilter }: Props) {
  const { t } = useTranslation('inbox')
  const used = [filter.channel, filter.label, filter.unread].filter((each) => each !== undefined).length
  const label = used === 0 ? t('filter.action') : t('filter.used', { count: used })
  return (
    <Popover position="bottom-end" width={260} trapFocus withArrow>
      <Indicator disabled={used === 0} label={used} size={16}>
        <Popover.Target>
          <ActionIcon variant={used === 0 ? 'default' : 'light'} size={36} aria-label={label} title={label}>
            <IconFilter size={16} />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown aria-label={t('filter.action')}>
        <Suspense fallback={<Loader size="sm" />}>
          <FilterForm filter={filter} onFilter={onFilter} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
