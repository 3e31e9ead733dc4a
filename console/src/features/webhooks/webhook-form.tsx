import { Button, Group, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldErrors } from '../../ui/form-errors.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { EventChoice } from './event-choice.tsx'
import type { EventType } from './webhook.ts'

export type WebhookFields = { url: string; events: (EventType | '*')[]; description: string }

type Props = {
  initial: WebhookFields
  action: string
  isBusy: boolean
  error: unknown
  onSubmit: (fields: WebhookFields) => void
  onCancel: () => void
}

/** What is said of a webhook when it is made or changed. */
export function WebhookForm({ initial, action, isBusy, error, onSubmit, onCancel }: Props) {
  const { t } = useTranslation('webhooks')
  const { t: tApp } = useTranslation('app')
  const [fields, setFields] = useState(initial)
  const change = (changes: Partial<WebhookFields>) => setFields((before) => ({ ...before, ...changes }))
  const errors = fieldErrors(error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(fields)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={t('form.url')}
          description={t('form.url_help')}
          placeholder="https://erp.exemplo.com.br/eventos"
          type="url"
          inputMode="url"
          autoComplete="off"
          value={fields.url}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
          error={errors.url}
          maxLength={2048}
          required
          data-autofocus
        />
        <TextInput
          label={t('form.description')}
          description={t('form.description_help')}
          value={fields.description}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          error={errors.description}
          maxLength={200}
        />
        <EventChoice wanted={fields.events} onChange={(events) => change({ events })} error={errors.events} />
        {error && Object.keys(errors).length === 0 ? <ErrorNote error={error} /> : null}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {tApp('cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={fields.url.trim() === '' || fields.events.length === 0}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
