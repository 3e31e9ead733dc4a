import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { tellDone } from '../../ui/tell.ts'
import { type Webhook, wantedOf } from './webhook.ts'
import { WebhookForm } from './webhook-form.tsx'

type Props = { webhook: Webhook; opened: boolean; onClose: () => void }

/** A dialog that changes where and of what a webhook is told. */
export function EditWebhook({ webhook, opened, onClose }: Props) {
  const { t } = useTranslation('webhooks')
  const { t: tApp } = useTranslation('app')
  const change = useChange('PATCH /account/webhooks/{id}', { invalidates: ['GET /account/webhooks', 'GET /account/webhooks/{id}'] })
  const close = () => {
    change.reset()
    onClose()
  }
  return (
    <Dialog opened={opened} onClose={close} title={t('edit.title')} size="xl">
      <WebhookForm
        initial={{ url: webhook.url ?? '', events: wantedOf(webhook), description: webhook.description ?? '' }}
        action={tApp('save')}
        isBusy={change.isPending}
        error={change.error}
        onCancel={close}
        onSubmit={(fields) =>
          change.mutate(
            { path: { id: webhook.id }, body: { ...fields, url: fields.url.trim() } },
            {
              onSuccess: () => {
                tellDone(t('edit.done'))
                close()
              },
            },
          )
        }
      />
    </Dialog>
  )
}
