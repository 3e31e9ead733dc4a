import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/dialog.tsx'
import type { FilledTemplate } from './send-of-template.ts'
import { TemplatePicker } from './template-picker.tsx'

type Props = { channelId: string; opened: boolean; onClose: () => void; onSend: (filled: FilledTemplate) => void }

/** Chooses a template, on a phone over the whole screen. */
export function TemplateDialog({ channelId, opened, onClose, onSend }: Props) {
  const { t } = useTranslation('composer')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('template.title')} size="lg" isFullOnPhone>
      <TemplatePicker channelId={channelId} onSend={onSend} />
    </Dialog>
  )
}
