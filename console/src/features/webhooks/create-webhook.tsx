import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import type { WebhookWithSecret } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

type Props = { opened: boolean; onClose: () => void; onMade: (webhook: WebhookWithSecret) => void }

/** A dialog that registers a webhook. */
export function CreateWebhook({ opened, onClose, onMade }: Props) {
  const { t } = useTranslation('webhooks')
  const create = useChange('POST /account/webhooks', { invalidates: ['GET /account/webhooks'] })
  const close = () => {
    create.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={t('create')} size="xl">
      <WebhookForm
        initial={{ url: '', events: ['*'], description: '' }}
        action={t('create')}
        isBusy={create.isPending}
        error={create.error}
        onCancel={close}
        onSubmit={({ url, events, description }) =>
          create.mutate(
            { body: { url: url.trim(), events, ...(description === '' ? {} : { description }) } },
            {
              onSuccess: (made) => {
                close()
                onMade(made)
              },
            },
          )
        }
      />
    </Dialog>
  )
}
