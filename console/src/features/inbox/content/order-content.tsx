import { Group, Stack, Text } from '@mantine/core'
import { IconShoppingCart } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import { listAt, numberAt, textAt } from './parts.ts'

/** What the person put into the cart, and what it adds up to. */
export function OrderContent({ content }: { content: unknown }) {
  const { t, i18n } = useTranslation('inbox')
  const items = listAt(content, 'product_items')
  const words = textAt(content, 'text')
  const currency = textAt(items[0], 'currency')
  const total = items.reduce<number>((sum, each) => sum + (numberAt(each, 'item_price') ?? 0) * (numberAt(each, 'quantity') ?? 0), 0)
  return (
    <Stack gap={4} miw={220}>
      <Text size="sm" fw={600}>
        <IconShoppingCart size={15} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
        {t('order.title', { count: items.length })}
      </Text>
      {items.map((item, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
        <Group key={i} justify="space-between" wrap="nowrap" gap="md">
          <Text size="sm">
            {numberAt(item, 'quantity') ?? '?'} × {textAt(item, 'product_retailer_id') ?? '?'}
          </Text>
          <Text size="sm">{moneyWords(numberAt(item, 'item_price'), textAt(item, 'currency'), i18n.language)}</Text>
        </Group>
      ))}
      {items.length > 1 ? (
        <Group justify="space-between" wrap="nowrap" gap="md">
          <Text size="sm" fw={600}>
            {t('order.total')}
          </Text>
          <Text size="sm" fw={600}>
            {moneyWords(total, currency, i18n.language)}
          </Text>
        </Group>
      ) : null}
      {words === null ? null : <FormattedText text={words} />}
    </Stack>
  )
}

function moneyWords(amount: number | null, currency: string | null, language: string): string {
  if (amount === null) return ''
  try {
    return new Intl.NumberFormat(language, currency === null ? {} : { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount} ${currency ?? ''}`
  }
}
