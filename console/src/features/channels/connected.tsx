import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { phoneWords } from '../../ui/phone.ts'
import type { Channel, Connection, Step } from './channel.ts'
import { Steps } from './steps.tsx'

const lookMs = 3_000

/** A number is connected; waits beside the reader for the first notice about it. */
export function Connected({ connection, channel }: { connection: Connection; channel: Channel }) {
  const { t } = useTranslation('channels')
  const { id } = useAccount()
  const hasNotice = connection.steps.some(({ step, outcome }) => step === 'first_notice' && outcome === 'ok')
  const channels = useRead('GET /account/channels/details', {}, { enabled: !hasNotice, refetchInterval: lookMs })
  const now = channels.data?.data.find((each) => each.id === channel.id)
  const steps = connection.steps.map(
    (step): Step => (step.step === 'first_notice' && now && now.last_notice_at !== null ? { ...step, outcome: 'ok' } : step),
  )
  const name = channel.display_name ?? (channel.phone === null ? channel.phone_number_id : phoneWords(channel.phone))
  return (
    <Stack pt="md">
      <Alert color="teal" icon={<IconCircleCheck size={18} />} title={t('connect.done.title', { name })} role="status">
        {t('connect.done.text')}
      </Alert>
      <Steps steps={steps} />
      <Group justify="flex-end">
        <Button
          renderRoot={(props) => (
            <Link {...props} to="/a/$accountId/settings/channels/$channelId" params={{ accountId: id, channelId: channel.id }} />
          )}
        >
          {t('connect.done.open')}
        </Button>
      </Group>
    </Stack>
  )
}
