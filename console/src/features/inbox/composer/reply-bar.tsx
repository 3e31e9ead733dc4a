import { ActionIcon, Box, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Preview } from '../thread/preview.tsx'
import type { QuotedMessage } from './conversation.ts'

type Props = { message: QuotedMessage; personName: string; onClear: () => void }

/** The message that the next one quotes, and a way to drop it. */
export function ReplyBar({ message, personName, onClear }: Props) {
  const { t } = useTranslation('composer')
  return (
    <Group
      wrap="nowrap"
      gap="xs"
      m={6}
      px="sm"
      py={4}
      bg="light-dark(#eef1f2, #2a3033)"
      style={{ borderLeft: '4px solid var(--mantine-primary-color-filled)', borderRadius: 6 }}
      data-testid="reply-bar"
    >
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Text size="xs" fw={600} truncate dir="auto">
          {t('reply.to', { name: message.direction === 'outbound' ? t('reply.us') : personName })}
        </Text>
        <Text size="sm" lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          <Preview type={message.type} text={message.text} />
        </Text>
      </Box>
      <ActionIcon size={40} variant="subtle" color="gray" onClick={onClear} aria-label={t('reply.clear')}>
        <IconX size={18} />
      </ActionIcon>
    </Group>
  )
}
