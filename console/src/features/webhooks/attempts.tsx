import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeSample } from '../../ui/code-sample.tsx'
import { Standing } from '../../ui/standing.tsx'
import { Moment } from '../../ui/time.tsx'
import { AnswerWord } from './answer-word.tsx'
import type { Attempt, Delivery } from './webhook.ts'

/** Each attempt with what came back, the newest first. */
export function Attempts({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('webhooks')
  if (delivery.attempts.length === 0) return <Text size="sm">{t('attempts.none')}</Text>
  return (
    <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
      {delivery.attempts.toReversed().map((attempt) => (
        <Box component="li" key={attempt.number} py="sm" style={{ borderTop: '1px solid var(--line)' }}>
          <One attempt={attempt} />
        </Box>
      ))}
    </Stack>
  )
}

function One({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation('webhooks')
  const isReceived = attempt.status_code !== null && attempt.status_code >= 200 && attempt.status_code < 300
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {t('attempts.number', { number: attempt.number })}
          </Text>
          <Standing tone={isReceived ? 'good' : 'bad'}>
            <Text span size="sm">
              <AnswerWord attempt={attempt} />
            </Text>
          </Standing>
          {attempt.manual ? (
            <Badge variant="outline" color="gray" style={{ color: 'var(--muted)' }}>
              {t('attempts.manual')}
            </Badge>
          ) : null}
        </Group>
        <Text size="xs" c="var(--muted)">
          <Moment at={attempt.created_at} precise /> · {attempt.duration_ms} ms
        </Text>
      </Group>
      {attempt.response_body === null || attempt.response_body === '' ? null : (
        <CodeSample code={attempt.response_body} label={t('attempts.body', { number: attempt.number })} heightMax={160} />
      )}
    </Stack>
  )
}
