import { Group, Kbd, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog.tsx'

const keys = [
  ['Ctrl K', 'palette'],
  ['j', 'next'],
  ['k', 'previous'],
  ['Alt ↓', 'go_next'],
  ['Alt ↑', 'go_previous'],
  ['Enter', 'open'],
  ['r', 'answer'],
  ['Esc', 'leave'],
  ['e', 'close'],
  ['/', 'search'],
  ['i', 'details'],
  ['Esc', 'back'],
  ['?', 'help'],
] as const

/** What the keyboard can do here. */
export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('inbox')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('keys.title')}>
      <Stack gap="xs">
        {keys.map(([key, name]) => (
          <Group key={name} justify="space-between">
            <Text size="sm">{t(`keys.${name}`)}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}
