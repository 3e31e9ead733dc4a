import { ActionIcon, Button, Menu, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconAlarmSnooze } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import type { Conversation } from '../../../api/generated/operations.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useChangeConversation } from '../use-change-conversation.ts'
import { snoozeTimes } from './snooze-times.ts'

/** Puts a conversation off until later; it comes back by itself, or when the person writes. */
export function SnoozeMenu({ conversation }: { conversation: Conversation }) {
  const { t, i18n } = useTranslation('inbox')
  const { can } = useAccount()
  const [isPicking, setPicking] = useState(false)
  const { change } = useChangeConversation()
  const snooze = (until: Date | null) => change(conversation.id, { snoozed_until: until === null ? null : until.toISOString() })
  const format = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  return (
    <>
      <Menu position="bottom-end" width={250}>
        <Menu.Target>
          <Tooltip label={t('snooze.action')}>
            <ActionIcon
              variant="default"
              size={30}
              disabled={!can('inbox:write') || conversation.state === 'closed'}
              aria-label={t('snooze.action')}
            >
              <IconAlarmSnooze size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {snoozeTimes(new Date()).map(({ name, until }) => (
            <Menu.Item
              key={name}
              onClick={() => snooze(until)}
              rightSection={
                <Text size="xs" c="var(--muted)">
                  {format.format(until)}
                </Text>
              }
            >
              {t(`snooze.${name}`)}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setPicking(true)}>{t('snooze.pick')}</Menu.Item>
          {conversation.snoozed_until === null ? null : (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => snooze(null)}>{t('snooze.end')}</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={isPicking} onClose={() => setPicking(false)} title={t('snooze.action')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const value = new FormData(event.currentTarget).get('until')
            if (typeof value !== 'string' || value === '') return
            snooze(new Date(value))
            setPicking(false)
          }}
        >
          <Stack>
            <TextInput type="datetime-local" name="until" label={t('snooze.until')} min={localMinute(new Date())} required data-autofocus />
            <Button type="submit">{t('snooze.do')}</Button>
          </Stack>
        </form>
      </Dialog>
    </>
  )
}

/** As an input for a moment of the reader's zone wants it. */
function localMinute(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`
}
