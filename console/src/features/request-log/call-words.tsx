import { Badge, Code, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Clipped } from '../../ui/clipped.tsx'
import { Standing } from '../../ui/standing.tsx'
import type { LoggedCall } from './logged-call.ts'

/** What was called: method and pattern of the path. */
export function RouteName({ call }: { call: LoggedCall }) {
  const { t } = useTranslation('request-log')
  return (
    <Group gap={8} wrap="nowrap">
      <Text span size="xs" fw={700} c="var(--muted)" w={48}>
        {call.method}
      </Text>
      <Code bg="transparent" p={0} fz="sm">
        {call.route === 'unmatched' ? t('unmatched') : call.route}
      </Code>
    </Group>
  )
}

/** The status of the answer, with whether it is good. */
export function CallStatus({ code }: { code: number }) {
  return <Standing tone={code < 400 ? 'good' : code < 500 ? 'warning' : 'bad'}>{code}</Standing>
}

/** What the team calls the key of a call, and whether it is one of test mode. */
export function KeyName({ call, name }: { call: LoggedCall; name: string | undefined }) {
  const { t } = useTranslation('request-log')
  return (
    <Group gap="xs" wrap="nowrap">
      <Clipped maw={{ base: 150, lg: 200 }}>{name ?? t('unnamed')}</Clipped>
      {call.livemode ? null : (
        <Badge variant="outline" color="gray" style={{ color: 'var(--muted)', flexShrink: 0 }}>
          {t('test')}
        </Badge>
      )}
    </Group>
  )
}
