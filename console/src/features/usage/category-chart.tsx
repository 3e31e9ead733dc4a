import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Usage } from '../../api/generated/operations.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Panel } from '../../ui/panel.tsx'

const known = ['marketing', 'utility', 'authentication', 'service', 'unknown'] as const

type Props = { title: string; usage: Pick<Usage, 'meta_billable_by_category' | 'meta_free_by_category'> }

/** What the platform bills, and what not, by its categories. Ones that are new to us keep the platform's word. */
export function CategoryChart({ title, usage: { meta_billable_by_category: billable, meta_free_by_category: free } }: Props) {
  const { t } = useTranslation('usage')
  const categories = [...new Set([...Object.keys(billable), ...Object.keys(free)])].toSorted()
  const nameOf = (category: string) => {
    const word = known.find((each) => each === category)
    return word === undefined ? category : t(`category.${word}`)
  }
  return (
    <Panel title={title} intro={t('categories.intro')}>
      {categories.length === 0 ? (
        <Text size="sm" c="var(--muted)">
          {t('categories.none')}
        </Text>
      ) : (
        <BarChart
          label={title}
          head={t('categories.category')}
          series={[
            { label: t('categories.billable'), color: 'light-dark(#0f766e, #37a998)' },
            { label: t('categories.free'), color: 'light-dark(#7a8891, #8b979e)' },
          ]}
          bars={categories.map((category) => ({
            label: nameOf(category),
            title: nameOf(category),
            values: [billable[category] ?? 0, free[category] ?? 0],
          }))}
        />
      )}
    </Panel>
  )
}
