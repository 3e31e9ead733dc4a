import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconEdit, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { RefusalWords } from '../../ui/refusal-words.tsx'
import { useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import { EditWebhook } from './edit-webhook.tsx'
import { RotateSecret } from './rotate-secret.tsx'
import type { Webhook } from './webhook.ts'

type Dialog = 'edit' | 'rotate' | 'delete' | null
type Props = { webhook: Webhook /** A test event is on its way: the delivery to watch. */; onTested: (deliveryId: string) => void }

/** What can be done with a webhook, for whoever may. */
export function WebhookActions({ webhook, onTested }: Props) {
  const { t } = useTranslation('webhooks')
  const { can } = useAccount()
  const [dialog, setDialog] = useState<Dialog>(null)
  const close = () => setDialog(null)
  if (!can('webhooks:write')) return null
  return (
    <>
      <TestEvent webhook={webhook} onTested={onTested} />
      <Button variant="default" leftSection={<IconEdit size={16} />} onClick={() => setDialog('edit')}>
        {t('edit.action')}
      </Button>
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => setDialog('rotate')}>
            {t('rotate.action')}
          </Menu.Item>
          <Enable webhook={webhook} />
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
            {t('delete.action')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditWebhook webhook={webhook} opened={dialog === 'edit'} onClose={close} />
      <RotateSecret webhook={webhook} opened={dialog === 'rotate'} onClose={close} />
      <Delete webhook={webhook} opened={dialog === 'delete'} onClose={close} />
    </>
  )
}

function TestEvent({ webhook, onTested }: Props) {
  const { t } = useTranslation('webhooks')
  const words = useErrorWords()
  const test = useChange('POST /account/webhooks/{id}/test', { invalidates: ['GET /account/webhooks/{id}/deliveries'] })
  const send = () =>
    test.mutate(
      { path: { id: webhook.id }, body: {} },
      { onSuccess: ({ id }) => onTested(id), onError: (error) => tellFailed(words(error), <RefusalWords error={error} />) },
    )
  return (
    <Button variant="default" leftSection={<IconSend size={16} />} loading={test.isPending} onClick={send}>
      {t('test')}
    </Button>
  )
}

function Enable({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const words = useErrorWords()
  const change = useChange('PATCH /account/webhooks/{id}', { invalidates: ['GET /account/webhooks', 'GET /account/webhooks/{id}'] })
  const toggle = () =>
    change.mutate(
      { path: { id: webhook.id }, body: { enabled: !webhook.enabled } },
      {
        onSuccess: ({ enabled }) => tellDone(enabled ? t('enable.done') : t('disable.done')),
        onError: (error) => tellFailed(words(error), <RefusalWords error={error} />),
      },
    )
  const icon = webhook.enabled ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />
  return (
    <Menu.Item leftSection={icon} onClick={toggle}>
      {webhook.enabled ? t('disable.action') : t('enable.action')}
    </Menu.Item>
  )
}

function Delete({ webhook, opened, onClose }: { webhook: Webhook; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { id } = useAccount()
  const navigate = useNavigate()
  const words = useErrorWords()
  const remove = useChange('DELETE /account/webhooks/{id}', { invalidates: ['GET /account/webhooks'] })
  const confirm = () =>
    remove.mutate(
      { path: { id: webhook.id }, body: {} },
      {
        onSuccess: () => {
          tellDone(t('delete.done'))
          void navigate({ to: '/a/$accountId/settings/webhooks', params: { accountId: id } })
        },
        onError: (error) => tellFailed(words(error), <RefusalWords error={error} />),
      },
    )
  return (
    <Confirm
      opened={opened}
      title={t('delete.title')}
      action={t('delete.action')}
      isBusy={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t('delete.text')}
    </Confirm>
  )
}
