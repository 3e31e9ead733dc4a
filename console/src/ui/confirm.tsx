import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'

type Props = {
  opened: boolean
  title: string
  children: ReactNode
  /** What the button says: the deed itself, never "OK". */
  action: string
  isBusy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be taken back. */
export function Confirm({ opened, title, children, action, isBusy = false, onConfirm, onClose }: Props) {
  const { t } = useTranslation('app')
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color="red.9" loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
