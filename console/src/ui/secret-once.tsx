import { Alert, Button, Code, CopyButton, Group, Modal, Stack, Text } from '@mantine/core'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  title: string
  intro: string
  secret: string | null
  onClose: () => void
  /** What to do with it: an example. */
  children?: ReactNode
}

/** A dialog for a secret that is shown once: it closes only by its button. */
export function SecretOnce({ title, intro, secret, onClose, children }: Props) {
  const { t } = useTranslation('app')
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      size={children === undefined ? 'md' : 'lg'}
    >
      <Stack>
        <Text size="sm">{intro}</Text>
        <CopyField value={secret ?? ''} label={title} />
        <Alert color="yellow" icon={<IconKey size={18} />}>
          {t('secret.once')}
        </Alert>
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('secret.stored')}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** A text to take along, with a button that copies it. */
export function CopyField({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation('app')
  return (
    <Group gap="xs" wrap="nowrap" align="stretch">
      <Code block style={{ flex: 1, overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} aria-label={label} tabIndex={0}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}>
            {copied ? t('copied') : t('copy')}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
