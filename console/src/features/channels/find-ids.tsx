import { List, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const parts = ['phone_number_id', 'waba_id', 'token'] as const

/** Where the three things that connecting needs are found at Meta. */
export function FindIds() {
  const { t } = useTranslation('channels')
  return (
    <Stack gap="lg" pt="md">
      <Text size="sm">{t('connect.find.intro')}</Text>
      {parts.map((part) => (
        <Stack key={part} gap={4}>
          <Title order={3}>{t(`connect.find.${part}.title`)}</Title>
          <Text size="sm">{t(`connect.find.${part}.what`)}</Text>
          <List size="sm" type="ordered" spacing={2}>
            <List.Item>{t(`connect.find.${part}.first`)}</List.Item>
            <List.Item>{t(`connect.find.${part}.then`)}</List.Item>
          </List>
        </Stack>
      ))}
    </Stack>
  )
}
