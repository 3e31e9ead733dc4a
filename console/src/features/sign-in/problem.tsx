import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client.ts'
import { ErrorNote } from '../../ui/states.tsx'

/** Why a sign-in was not taken. `wrong` is said of what was not right. */
export function Problem({ error, wrong }: { error: unknown; wrong: string }) {
  const { t } = useTranslation('sign-in')
  if (!error) return null
  const status = error instanceof ApiError ? error.status : null
  if (status === 401) return <Alert role="alert" color="red" icon={<IconAlertTriangle size={18} />} title={wrong} />
  if (status === 429)
    return (
      <Alert role="alert" color="orange" icon={<IconClock size={18} />} title={t('throttled.title')}>
        {t('throttled.text')}
      </Alert>
    )
  return <ErrorNote error={error} />
}
