import { SimpleGrid } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Usage } from '../../api/generated/operations.ts'
import { Figure } from '../../ui/figure.tsx'
import { Panel } from '../../ui/panel.tsx'

const parts = ['read', 'delivered', 'sent', 'queued', 'failed'] as const

type Props = { title: string; name?: string; sent: Usage['sent']; received?: number }

/** What became of the sends of the month, and how much people wrote. */
export function SentPanel({ title, name = 'sent', sent, received }: Props) {
  const { t, i18n } = useTranslation('usage')
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 })
  return (
    <Panel title={title} intro={t('sent.intro')}>
      <SimpleGrid cols={{ base: 2, sm: 4, lg: 7 }}>
        <Figure name={`${name}.total`} label={t('sent.total')} value={sent.total} />
        {parts.map((part) => (
          <Figure
            key={part}
            name={`${name}.${part}`}
            label={t(`sent.${part}`)}
            value={sent[part]}
            note={sent.total === 0 ? undefined : percent.format(sent[part] / sent.total)}
          />
        ))}
        {received === undefined ? null : <Figure name="received" label={t('sent.received')} value={received} />}
      </SimpleGrid>
    </Panel>
  )
}
