import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = Pick<ModalProps, 'opened' | 'onClose' | 'children' | 'size'> & { title: string }

/** A dialog over the page; Escape, a click beside it and its cross close it. */
export function Dialog(props: Props) {
  const { t } = useTranslation('app')
  return <Modal {...props} closeButtonProps={{ 'aria-label': t('close') }} />
}
