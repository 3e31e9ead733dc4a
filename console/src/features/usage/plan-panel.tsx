import { Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Usage } from '../../api/generated/operations.ts'
import { Figure } from '../../ui/figure.tsx'
import { Panel } from '../../ui/panel.tsx'

/** How much of what the plan includes has been used. */
export function PlanPanel({ usage: { franchise, counted, remaining, over_franchise: over } }: { usage: Usage }) {
  const { t } = useTranslation('usage')
  const percent = franchise === 0 ? 0 : Math.min(100, (counted / franchise) * 100)
  return (
    <Panel title={t('plan.title')} intro={t('plan.intro')}>
      <Stack gap="md">
        <SimpleGrid cols={{ base: 2, sm: 4 }}>
          <Figure name="counted" label={t('plan.counted')} value={counted} />
          <Figure name="franchise" label={t('plan.franchise')} value={franchise} />
          <Figure name="remaining" label={t('plan.remaining')} value={remaining} />
          <Figure
            name="over_franchise"
            label={t('plan.over')}
            value={over}
            color={franchise > 0 && over > 0 ? 'light-dark(#b42318, #f97066)' : 'inherit'}
          />
        </SimpleGrid>
        {franchise === 0 ? (
          <Text size="sm" c="var(--muted)">
            {t('plan.none')}
          </Text>
        ) : (
          <Progress
            value={percent}
            color={over > 0 ? 'red' : 'pombo'}
            size="lg"
            aria-label={t('plan.used', { percent: Math.round(percent) })}
          />
        )}
      </Stack>
    </Panel>
  )
}
