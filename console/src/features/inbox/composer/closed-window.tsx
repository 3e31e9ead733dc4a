import { Button, Group, Stack, Text } from '@mantine/core'
import { IconTemplate } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import { OnceOpened } from '../../../ui/once-opened.tsx'
import { enqueueSends } from '../pending.ts'
import { usePlace } from '../place.ts'
import { addresseeOf, type ComposedConversation } from './conversation.ts'
import { TemplateDialog } from './dialogs.ts'
import { Frame } from './frame.tsx'
import { sendOfTemplate } from './send-of-template.ts'

/** Stands in place of the text area when only a template may be sent. What was written stays in the draft. */
export function ClosedWindow({ conversation, hasWritten }: { conversation: ComposedConversation; hasWritten: boolean }) {
  const { t } = useTranslation('composer')
  const { can } = useAccount()
  const place = usePlace()
  const [opened, setOpened] = useState(false)
  return (
    <Frame>
      <Group p="sm" justify="space-between" gap="sm">
        <Stack gap={2} style={{ flex: '1 1 240px' }}>
          <Text size="sm" fw={600}>
            {conversation.window_expires_at === null ? t('closed.never') : t('closed.title')}
          </Text>
          <Text size="sm" c="var(--muted)">
            {hasWritten ? t('closed.text_with_draft') : t('closed.text')}
          </Text>
        </Stack>
        <Button
          data-answer
          mih={40}
          leftSection={<IconTemplate size={18} />}
          onClick={() => setOpened(true)}
          disabled={!can('templates:read')}
        >
          {t('closed.choose')}
        </Button>
      </Group>
      <OnceOpened opened={opened}>
        <TemplateDialog
          channelId={conversation.channel_id}
          opened={opened}
          onClose={() => setOpened(false)}
          onSend={(filled) => {
            setOpened(false)
            enqueueSends(place, conversation.id, [sendOfTemplate(filled, addresseeOf(conversation), null)])
          }}
        />
      </OnceOpened>
    </Frame>
  )
}
