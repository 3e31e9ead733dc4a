import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { FilledTemplate } from './send-of-template.ts'
import { TemplatePicker } from './template-picker.tsx'

type Props = { channelId: string; opened: boolean; onClose: () => void; onSend: (filled: FilledTemplate) => void }

/** Chooses a template, on a phone over the whole screen. */
export function TemplateDialog({ channelId, opened, onClose, onSend }: Props) {
  const { t } = useTranslation('composer')
  const { t: app } = useTranslation('app')
  const isNarrow = useMediaQuery('(max-width: 640px)') ?? false
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('template.title')}
      size="lg"
      fullScreen={isNarrow}
      closeButtonProps={{ 'aria-label': app('close') }}
    >
      <TemplatePicker channelId={channelId} onSend={onSend} />
    </Modal>
  )
}
