import { Anchor, Box, Button, Group, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { CodeSample } from '../../ui/code-sample.tsx'
import { ForReal } from '../../ui/for-real.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Overview } from './overview.ts'

/** What a new account does first. Each step ticks itself off; with the last one, or by hand, all of it goes away. */
export function FirstSteps({ overview }: { overview: Overview }) {
  return (
    <ForReal>
      <Steps overview={overview} />
    </ForReal>
  )
}

const refreshMs = 5_000

function Steps({ overview }: { overview: Overview }) {
  const { t } = useTranslation('home')
  const { id: accountId } = useAccount()
  const [isHidden, setHidden] = useLocalStorage({
    key: `pombo.first-steps.${accountId}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const options = { enabled: !isHidden, refetchInterval: isHidden ? (false as const) : refreshMs }
  const keys = useRead('GET /account/api-keys', {}, options)
  const sent = useRead('GET /account/messages', { query: { source: 'api', limit: 1 } }, options)
  const webhooks = useRead('GET /account/webhooks', {}, options)
  if (isHidden || keys.data === undefined || sent.data === undefined || webhooks.data === undefined) return null
  const done = {
    key: keys.data.data.length > 0,
    number: overview.channels.some(({ status }) => status === 'connected'),
    message: sent.data.data.length > 0,
    webhook: webhooks.data.data.length > 0,
  }
  if (Object.values(done).every(Boolean)) return null
  return (
    <Panel
      title={t('steps.title')}
      intro={t('steps.intro')}
      actions={
        <Button variant="subtle" size="xs" onClick={() => setHidden(true)}>
          {t('steps.hide')}
        </Button>
      }
    >
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }} aria-live="polite">
        <Step number={1} isDone={done.key} title={t('steps.key.title')}>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/api-keys" params={{ accountId }} />}>
            {t('steps.key.action')}
          </Anchor>
        </Step>
        <Step number={2} isDone={done.number} title={t('steps.number.title')}>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/channels/connect" params={{ accountId }} />}>
            {t('steps.number.action')}
          </Anchor>
        </Step>
        <Step number={3} isDone={done.message} title={t('steps.message.title')}>
          <Stack gap="xs">
            <Text size="sm" c="var(--muted)">
              {t('steps.message.text')}
            </Text>
            <CodeSample code={curlOf(window.location.origin, t('steps.message.key'))} label={t('steps.message.curl')} />
          </Stack>
        </Step>
        <Step number={4} isDone={done.webhook} title={t('steps.webhook.title')}>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/webhooks" params={{ accountId }} />}>
            {t('steps.webhook.action')}
          </Anchor>
        </Step>
      </Stack>
    </Panel>
  )
}

/** A command to paste: a template, because it may be sent to anybody at any time. */
function curlOf(origin: string, key: string): string {
  const body = { to: '+55 11 98765-4321', type: 'template', template: { name: 'hello_world', language: 'en_US' } }
  return [
    `curl '${origin}/v1/messages'`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ')
}

function Step({ number, isDone, title, children }: { number: number; isDone: boolean; title: string; children: ReactNode }) {
  const { t } = useTranslation('home')
  return (
    <Group component="li" align="flex-start" wrap="nowrap" gap="md">
      <ThemeIcon radius="xl" size={26} variant={isDone ? 'filled' : 'default'} color="pombo" aria-hidden="true">
        {isDone ? (
          <IconCheck size={16} />
        ) : (
          <Text size="xs" fw={600}>
            {number}
          </Text>
        )}
      </ThemeIcon>
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600} c={isDone ? 'var(--muted)' : 'inherit'} td={isDone ? 'line-through' : 'none'}>
          {title}
          {isDone ? <VisuallyHidden> ({t('steps.done')})</VisuallyHidden> : null}
        </Text>
        {isDone ? null : children}
      </Box>
    </Group>
  )
}
