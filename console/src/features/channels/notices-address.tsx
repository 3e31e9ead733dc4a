import { Alert, List, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/account.ts'
import { CopyField } from '../../ui/secret-once.tsx'
import { ErrorNote, Loading } from '../../ui/states.tsx'

/** What is entered in the app at Meta, so that what happens there is told here. */
export function NoticesAddress() {
  const { t } = useTranslation('channels')
  const facts = useRead('GET /account/channels/connection-facts', {})
  if (facts.error) return <ErrorNote error={facts.error} retry={() => void facts.refetch()} />
  if (facts.isPending) return <Loading />
  const { notices_url, verify_token, app_id } = facts.data
  return (
    <Stack gap="md" pt="md">
      <Text size="sm">{t('connect.address.intro')}</Text>
      <List size="sm" type="ordered" spacing={4}>
        <List.Item>{t('connect.address.first')}</List.Item>
        <List.Item>{t('connect.address.then')}</List.Item>
        <List.Item>{t('connect.address.last')}</List.Item>
      </List>
      <Labelled label={t('connect.address.url')} value={notices_url} />
      {verify_token === null ? (
        <Alert color="yellow">{t('connect.address.no_token')}</Alert>
      ) : (
        <Labelled label={t('connect.address.verify_token')} value={verify_token} />
      )}
      {app_id === null ? null : <Labelled label={t('connect.address.app_id')} value={app_id} />}
    </Stack>
  )
}

function Labelled({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <CopyField value={value} label={label} />
    </Stack>
  )
}
