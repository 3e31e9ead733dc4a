import { Button } from '@mantine/core'
import { IconKey, IconPlugConnectedX, IconStethoscope } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { RefusalWords } from '../../ui/refusal-words.tsx'
import { useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import type { Channel, Connection } from './channel.ts'
import { NewToken } from './new-token.tsx'

type Props = { channel: Channel; onChecked: (connection: Connection) => void }

/** What can be done with a number, for whoever may. */
export function ChannelActions({ channel, onChecked }: Props) {
  const { t } = useTranslation('channels')
  const { can } = useAccount()
  const [dialog, setDialog] = useState<'token' | 'disconnect' | null>(null)
  if (!can('channels:write')) return null
  return (
    <>
      <CheckNow channel={channel} onChecked={onChecked} />
      <Button variant="default" leftSection={<IconKey size={16} />} onClick={() => setDialog('token')}>
        {t('token.action')}
      </Button>
      {channel.disconnected_by_hand ? null : (
        <Button variant="default" leftSection={<IconPlugConnectedX size={16} />} onClick={() => setDialog('disconnect')}>
          {t('disconnect.action')}
        </Button>
      )}
      <NewToken channel={channel} opened={dialog === 'token'} onClose={() => setDialog(null)} onChecked={onChecked} />
      <Disconnect channel={channel} opened={dialog === 'disconnect'} onClose={() => setDialog(null)} />
    </>
  )
}

function CheckNow({ channel, onChecked }: Props) {
  const { t } = useTranslation('channels')
  const words = useErrorWords()
  const check = useChange('POST /account/channels/{id}/check', { invalidates: ['GET /account/channels/details'], onSuccess: onChecked })
  const look = () =>
    check.mutate({ path: { id: channel.id }, body: {} }, { onError: (error) => tellFailed(words(error), <RefusalWords error={error} />) })
  return (
    <Button variant="default" leftSection={<IconStethoscope size={16} />} loading={check.isPending} onClick={look}>
      {t('check')}
    </Button>
  )
}

function Disconnect({ channel, opened, onClose }: { channel: Channel; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('channels')
  const words = useErrorWords()
  const disconnect = useChange('DELETE /account/channels/{id}', {
    invalidates: ['GET /account/channels/details', 'GET /account/channels'],
  })
  const confirm = () =>
    disconnect.mutate(
      { path: { id: channel.id }, body: {} },
      {
        onSuccess: () => tellDone(t('disconnect.done')),
        onError: (error) => tellFailed(words(error), <RefusalWords error={error} />),
        onSettled: onClose,
      },
    )
  return (
    <Confirm
      opened={opened}
      title={t('disconnect.title')}
      action={t('disconnect.action')}
      isBusy={disconnect.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t('disconnect.text')}
    </Confirm>
  )
}
