import { Alert, Button, Center, Loader, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/client.ts'
import { RefusalWords } from './refusal-words.tsx'
import { Said } from './said.tsx'

/** What stands where there is nothing yet: why, and what to do. */
export function Empty({ icon, title, children, action }: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py={48} px="md">
      <Stack align="center" gap="xs" maw={420} ta="center">
        {icon}
        <Title order={3}>{title}</Title>
        {children === undefined ? null : (
          <Text size="sm" c="var(--muted)">
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Center>
  )
}

/** Lines in the shape of what is being read. */
export function Loading({ lines = 5 }: { lines?: number }) {
  const { t } = useTranslation('app')
  return (
    <Stack gap="sm" p="md" aria-busy="true" aria-label={t('loading')} role="status">
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines without identity
        <Skeleton key={i} height={18} width={`${90 - (i % 3) * 15}%`} />
      ))}
    </Stack>
  )
}

/** While a whole page is on its way. */
export function PageLoading() {
  const { t } = useTranslation('app')
  return (
    <Center h="60vh">
      <Loader role="status" aria-label={t('loading')} />
    </Center>
  )
}

/** A refusal or an outage in words that people understand, with what to quote to support, and a way to try again. */
export function ErrorNote({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useTranslation('app')
  const words = useErrorWords()
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={words(error)} role="alert">
      <Stack gap="xs" align="flex-start">
        <RefusalWords error={error} />
        {requestId === null ? null : (
          <Text size="xs" c="var(--muted)">
            {t('errors.request_id', { id: requestId })}
          </Text>
        )}
        <Said>{wordsOfServer(error)}</Said>
        {retry === undefined ? null : (
          <Button size="xs" variant="default" onClick={retry}>
            {t('try_again')}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** The server's own words, and of a refusal by the upstream platform its. */
function wordsOfServer(error: unknown): string {
  if (!(error instanceof ApiError) || error.status < 400) return ''
  const details = error.details.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`))
  return [...new Set([error.message, ...details])].join(' · ')
}

/** The sentence for an error, by its code. */
export function useErrorWords(): (error: unknown) => string {
  const { t } = useTranslation('app')
  return (error) => t(`errors.code.${error instanceof ApiError ? error.code : 'internal_error'}`)
}
