import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const keys = [
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
  ['r', 'answer'],
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
    <Modal opened={opened} onClose={onClose} title={t('keys.title')} closeButtonProps={{ 'aria-label': t('close_dialog') }}>
      <Stack gap="xs">
        {keys.map(([key, name]) => (
          <Group key={key} justify="space-between">
            <Text size="sm">{t(`keys.${name}`)}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
