import { Anchor, Badge, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { Said } from '../../ui/said.tsx'
import { useUpstreamAdvice } from '../../ui/upstream-codes.ts'
import type { EntryOf, Timeline } from './timeline-type.ts'

type Code = Timeline['diagnosis']['code']

const arrived: readonly Code[] = ['received', 'delivered', 'read']
const underWay: readonly Code[] = [
  'sent',
  'waiting_for_pace',
  'upstream_asked_to_wait',
  'being_sent',
  'file_not_fetched_yet',
  'webhook_pending',
]

const looks = {
  arrived: ['teal', <IconCircleCheck key="icon" size={20} />],
  underWay: ['blue', <IconClock key="icon" size={20} />],
  stopped: ['red', <IconAlertTriangle key="icon" size={20} />],
} as const

/** Why did it not arrive? What became of the message in one sentence, what to do, and whether the customer's system was told. */
export function DiagnosisNote({ timeline }: { timeline: Timeline }) {
  const { t } = useTranslation('messages')
  const adviceOf = useUpstreamAdvice()
  const { code, error_code: errorCode, message } = timeline.diagnosis
  const [color, icon] = looks[arrived.includes(code) ? 'arrived' : underWay.includes(code) ? 'underWay' : 'stopped']
  // The platform's code says more than the group that it belongs to.
  const advice = errorCode !== null && timeline.status === 'failed' ? adviceOf(errorCode) : null
  return (
    <Paper
      withBorder
      radius="md"
      p="md"
      bg="var(--surface)"
      style={{ borderColor: 'var(--line)', borderInlineStart: `4px solid var(--mantine-color-${color}-6)` }}
    >
      <Group align="flex-start" wrap="nowrap" gap="md">
        <ThemeIcon variant="light" color={color} size="lg" radius="xl" aria-hidden="true">
          {icon}
        </ThemeIcon>
        <Stack gap={6} style={{ minWidth: 0 }} aria-live="polite">
          <Group gap="xs">
            <Text fw={650} fz="lg" lh={1.3} component="h2" m={0} data-testid="diagnosis">
              {advice?.title ?? t(`diagnosis.${code}.title`)}
            </Text>
            {errorCode === null ? null : (
              <Badge variant="default" tt="none" fw={500}>
                {t('diagnosis.code', { code: errorCode })}
              </Badge>
            )}
          </Group>
          <Text size="sm">{advice?.advice ?? t(`diagnosis.${code}.text`)}</Text>
          <Said>{message ?? ''}</Said>
          <Place code={code} channelId={timeline.channel_id} />
          <Webhooks timeline={timeline} />
        </Stack>
      </Group>
    </Paper>
  )
}

/** Where to go to do something about it. */
function Place({ code, channelId }: { code: Code; channelId: string }) {
  const { t } = useTranslation('messages')
  const { id: accountId, can } = useAccount()
  const link = (children: string, to: (props: object) => ReactNode) => (
    <Anchor size="sm" renderRoot={to}>
      {children}
    </Anchor>
  )
  switch (code) {
    case 'channel_not_connected':
    case 'channel_problem':
    case 'payment_problem':
    case 'held_back_by_platform':
      if (!can('channels:read')) return null
      return link(t('diagnosis.to_channel'), (props) => (
        <Link {...props} to="/a/$accountId/settings/channels/$channelId" params={{ accountId, channelId }} />
      ))
    case 'template_problem':
    case 'window_closed':
      if (!can('templates:read')) return null
      return link(t('diagnosis.to_templates'), (props) => <Link {...props} to="/a/$accountId/settings/templates" params={{ accountId }} />)
    case 'recipient_opted_out':
      if (!can('opt_outs:write')) return null
      return link(t('diagnosis.to_opt_outs'), (props) => <Link {...props} to="/a/$accountId/settings/opt-outs" params={{ accountId }} />)
    default:
      return null
  }
}

/** Whether the customer's system knows: a message may have arrived while a webhook was down. */
function Webhooks({ timeline: { webhooks, entries, diagnosis } }: { timeline: Timeline }) {
  const { t } = useTranslation('messages')
  const { id: accountId, can } = useAccount()
  if (webhooks === 'none' || diagnosis.code === 'webhook_pending') return null
  const failing = entries
    .filter((entry): entry is EntryOf<'event'> => entry.kind === 'event')
    .flatMap(({ deliveries }) => deliveries)
    .find(({ status, attempts }) => status === 'failed' || (status === 'pending' && attempts.length > 0))
  return (
    <Group gap="xs">
      <Text size="sm" c={webhooks === 'failing' ? 'light-dark(#b42318, #ff9b91)' : 'var(--muted)'} fw={webhooks === 'failing' ? 600 : 400}>
        {t(`webhooks.${webhooks}`)}
      </Text>
      {failing !== undefined && can('webhooks:write') ? (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link {...props} to="/a/$accountId/settings/webhooks/$webhookId" params={{ accountId, webhookId: failing.webhook_id }} />
          )}
        >
          {t('webhooks.open')}
        </Anchor>
      ) : null}
    </Group>
  )
}
