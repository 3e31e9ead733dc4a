import { Badge } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconChecks, IconClock, IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Message } from '../../api/generated/operations.ts'

const size = 14
const looks: { readonly [Status in Message['status']]: readonly [color: string, icon: ReactNode] } = {
  queued: ['gray', <IconClock key="icon" size={size} />],
  sent: ['blue', <IconCheck key="icon" size={size} />],
  delivered: ['teal', <IconChecks key="icon" size={size} />],
  read: ['teal', <IconChecks key="icon" size={size} stroke={3} />],
  failed: ['red', <IconAlertCircle key="icon" size={size} />],
  received: ['grape', <IconInbox key="icon" size={size} />],
}

/** The status of a message in a word, with its sign. */
export function StatusBadge({ status }: { status: Message['status'] }) {
  const { t } = useTranslation('messages')
  const [color, icon] = looks[status]
  return (
    <Badge color={color} variant="light" leftSection={icon} tt="none" fw={600} miw="max-content">
      {t(`status.${status}`)}
    </Badge>
  )
}
