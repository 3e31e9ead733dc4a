import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Usage } from '../../api/generated/operations.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { csvOf, download } from '../../ui/download.ts'
import { Panel } from '../../ui/panel.tsx'
import { dayName } from './months.ts'

export function DayChart({ usage: { month, by_day: days } }: { usage: Usage }) {
  const { t, i18n } = useTranslation('usage')
  const save = () =>
    download(
      `usage-${month}.csv`,
      csvOf(
        ['date', 'counted', 'failed'],
        days.map(({ date, counted, failed }) => [date, counted, failed]),
      ),
      'text/csv;charset=utf-8',
    )
  return (
    <Panel
      title={t('days.title')}
      intro={t('days.intro')}
      actions={
        <Button variant="default" size="xs" leftSection={<IconDownload size={16} />} onClick={save}>
          {t('days.csv')}
        </Button>
      }
    >
      <BarChart
        label={t('days.title')}
        head={t('days.day')}
        series={[
          { label: t('days.counted'), color: 'light-dark(#0f766e, #37a998)' },
          { label: t('days.failed'), color: 'light-dark(#d92d20, #f97066)' },
        ]}
        bars={days.map(({ date, counted, failed }) => ({
          label: String(Number(date.slice(-2))),
          title: dayName(date, i18n.language),
          values: [counted, failed],
        }))}
      />
    </Panel>
  )
}
