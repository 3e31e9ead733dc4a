import { Modal, type ModalProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from './use-is-narrow.ts'

type Props = Omit<ModalProps, 'title' | 'fullScreen' | 'closeButtonProps'> & {
  title: string
  /** A large one: on a phone over the whole screen. */
  isFullOnPhone?: boolean
}

/** A dialog over the page; Escape, a click beside it and its cross close it, unless it says otherwise. */
export function Dialog({ isFullOnPhone = false, ...props }: Props) {
  const { t } = useTranslation('app')
  const isNarrow = useIsNarrow()
  return <Modal {...props} fullScreen={isFullOnPhone && isNarrow} closeButtonProps={{ 'aria-label': t('close') }} />
}
