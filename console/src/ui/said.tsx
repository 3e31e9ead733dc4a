import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** What the server or the platform said in its own words, which are English: for who looks it up, closed until it is asked for. */
export function Said({ children }: { children: string }) {
  const { t } = useTranslation('app')
  if (children === '') return null
  return (
    <details>
      <Text component="summary" size="xs" c="var(--muted)" style={{ cursor: 'pointer', width: 'fit-content' }}>
        {t('errors.said')}
      </Text>
      <Text size="xs" c="var(--muted)" lang="en" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </details>
  )
}
