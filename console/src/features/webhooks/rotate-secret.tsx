import { Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { SigningSecret } from './signing-secret.tsx'
import type { Webhook } from './webhook.ts'

const hourSeconds = 3_600
const choices = [
  { name: 'now', seconds: 0 },
  { name: 'hour', seconds: hourSeconds },
  { name: 'day', seconds: 24 * hourSeconds },
] as const

/** Asks how long the old secret still counts, replaces it, and shows the new one once. */
export function RotateSecret({ webhook, opened, onClose }: { webhook: Webhook; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { t: tApp } = useTranslation('app')
  const [choice, setChoice] = useState<string>('hour')
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useChange('POST /account/webhooks/{id}/rotate-secret')
  const close = () => {
    rotate.reset()
    onClose()
  }
  const replace = () =>
    rotate.mutate(
      { path: { id: webhook.id }, body: { expire_previous_in: choices.find(({ name }) => name === choice)?.seconds ?? 0 } },
      {
        onSuccess: (answer) => {
          setSecret(answer.secret)
          close()
        },
      },
    )
  return (
    <>
      <Dialog opened={opened} onClose={close} title={t('rotate.title')}>
        <Stack>
          <Text size="sm">{t('rotate.text')}</Text>
          <Radio.Group label={t('rotate.previous')} value={choice} onChange={setChoice}>
            <Stack gap="xs" mt="xs">
              {choices.map(({ name }) => (
                <Radio key={name} value={name} label={t(`rotate.choice.${name}`)} />
              ))}
            </Stack>
          </Radio.Group>
          {rotate.error ? <ErrorNote error={rotate.error} /> : null}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {tApp('cancel')}
            </Button>
            <Button onClick={replace} loading={rotate.isPending}>
              {t('rotate.action')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      <SigningSecret title={t('secret.rotated')} secret={secret} onClose={() => setSecret(null)} />
    </>
  )
}
