import { NativeSelect, Stack } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { Page } from '../../ui/page.tsx'
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx'
import { CategoryChart } from './category-chart.tsx'
import { DayChart } from './day-chart.tsx'
import { monthName } from './months.ts'
import { PlanPanel } from './plan-panel.tsx'
import { SentPanel } from './sent-panel.tsx'
import { TopErrors } from './top-errors.tsx'

const refreshMs = 30_000

/** What the account used in a month: the figures of `GET /usage`, which are of the API, and beside them what the team sent. */
export function UsagePage() {
  const { t, i18n } = useTranslation('usage')
  const { mode } = useAccount()
  const [month, setMonth] = useState<string | null>(null)
  const isLive = mode === 'live'
  const months = useRead('GET /account/usage/months', {}, { enabled: isLive })
  const usage = useRead(
    'GET /account/usage',
    { query: month === null ? {} : { month } },
    { enabled: isLive, refetchInterval: refreshMs, placeholderData: (before) => before },
  )
  const team = useRead(
    'GET /account/usage/team',
    { query: month === null ? {} : { month } },
    { enabled: isLive, refetchInterval: refreshMs, placeholderData: (before) => before },
  )
  const shown = month ?? usage.data?.month ?? ''
  const picker = (
    <NativeSelect
      aria-label={t('month')}
      value={shown}
      onChange={(event) => setMonth(event.currentTarget.value)}
      data={[...new Set([...(months.data?.data ?? []), ...(shown === '' ? [] : [shown])])]
        .toSorted()
        .toReversed()
        .map((value) => ({ value, label: monthName(value, i18n.language) }))}
    />
  )
  return (
    <Page title={t('title')} intro={t('intro')} actions={isLive ? picker : undefined}>
      {isLive ? (
        <Stack gap="lg" aria-busy={usage.isPlaceholderData}>
          {team.error ? <ErrorNote error={team.error} retry={() => void team.refetch()} /> : null}
          {usage.error ? <ErrorNote error={usage.error} retry={() => void usage.refetch()} /> : null}
          {usage.isPending ? <Loading lines={8} /> : null}
          {usage.data === undefined || usage.error ? null : (
            <>
              <PlanPanel usage={usage.data} />
              <SentPanel title={t('sent.title')} sent={usage.data.sent} received={usage.data.received} />
              {team.data === undefined ? null : <SentPanel title={t('sent.team')} name="team" sent={team.data.sent} />}
              <DayChart usage={usage.data} />
              <CategoryChart title={t('categories.title')} usage={usage.data} />
              {team.data === undefined ? null : <CategoryChart title={t('categories.team')} usage={team.data} />}
              <TopErrors usage={usage.data} />
            </>
          )}
        </Stack>
      ) : (
        <Empty icon={<IconFlask size={32} />} title={t('test_mode.title')}>
          {t('test_mode.text')}
        </Empty>
      )}
    </Page>
  )
}
