import { ActionIcon, Popover } from '@mantine/core'
import { IconMoodSmile } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Loading } from '../../../ui/states.tsx'

const EmojiPicker = lazy(async () => ({ default: (await import('./emoji-picker.tsx')).EmojiPicker }))

/** The emoji picker, loaded when it is first opened. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation('composer')
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <ActionIcon
          size={40}
          variant="subtle"
          color="gray"
          aria-label={t('tools.emoji')}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <IconMoodSmile size={20} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('tools.emoji')}>
        <Suspense fallback={<Loading lines={4} />}>
          <EmojiPicker
            onPick={(emoji) => {
              setOpened(false)
              onPick(emoji)
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
