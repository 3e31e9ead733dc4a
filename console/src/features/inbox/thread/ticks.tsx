import { IconAlertCircle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { MessageStatus } from '../../../api/generated/operations.ts'

/** How far a message of ours has come. */
export function Ticks({ status, size = 15 }: { status: MessageStatus; size?: number }) {
  const { t } = useTranslation('inbox')
  if (status === 'received') return null
  const props = { size, role: 'img', 'aria-label': t(`status.${status}`), style: { flexShrink: 0 } } as const
  switch (status) {
    case 'queued':
      return <IconClock {...props} />
    case 'sent':
      return <IconCheck {...props} />
    case 'delivered':
      return <IconChecks {...props} />
    case 'read':
      return <IconChecks {...props} color="var(--tick)" stroke={2.4} />
    case 'failed':
      return <IconAlertCircle {...props} color="var(--mantine-color-red-text)" />
  }
}
