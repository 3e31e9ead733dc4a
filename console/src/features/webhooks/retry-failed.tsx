import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'
import type { Webhook } from './webhook.ts'

const hourMs = 3_600_000
const spans = [
  { name: 'hour', ms: hourMs },
  { name: 'day', ms: 24 * hourMs },
  { name: 'week', ms: 7 * 24 * hourMs },
] as const

type Props = { webhook: Webhook; opened: boolean; onClose: () => void; onRetried: () => void }

/** Asks since when, and posts again all that has failed since. */
export function RetryFailed({ webhook, opened, onClose, onRetried }: Props) {
  const { t } = useTranslation('webhooks')
  const { t: tApp } = useTranslation('app')
  const [since, setSince] = useState(() => localMoment(Date.now() - 24 * hourMs))
  const retry = useChange('POST /account/webhooks/{id}/deliveries/retry', { invalidates: ['GET /account/webhooks/{id}/deliveries'] })
  const errors = fieldErrors(retry.error)
  const close = () => {
    retry.reset()
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    retry.mutate(
      { path: { id: webhook.id }, body: { since: new Date(since).toISOString() } },
      {
        onSuccess: ({ retried }) => {
          onRetried()
          tellDone(t('retry_failed.done', { count: retried }))
          close()
        },
      },
    )
  }
  return (
    <Dialog opened={opened} onClose={close} title={t('retry_failed.action')}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('retry_failed.text')}</Text>
          <Group gap="xs">
            {spans.map(({ name, ms }) => (
              <Button key={name} size="xs" variant="default" onClick={() => setSince(localMoment(Date.now() - ms))}>
                {t(`retry_failed.span.${name}`)}
              </Button>
            ))}
          </Group>
          <TextInput
            type="datetime-local"
            label={t('retry_failed.since')}
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
            error={errors.since}
            required
          />
          {retry.error && errors.since === undefined ? <ErrorNote error={retry.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {tApp('cancel')}
            </Button>
            <Button type="submit" loading={retry.isPending} disabled={Number.isNaN(new Date(since).getTime())}>
              {t('retry_failed.submit')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** As the field for a moment holds it: the reader's own time, to the minute. */
function localMoment(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
