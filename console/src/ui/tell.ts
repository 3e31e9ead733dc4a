import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import type { ReactNode } from 'react'

/** Says for a moment that something was done. */
export function tellDone(message: string): void {
  notifications.show({ message, color: 'teal', autoClose: 4_000, closeButtonProps: closeButton() })
}

/** Says that something was not done, for longer. */
export function tellFailed(title: string, message?: ReactNode): void {
  notifications.show({ title, message: message ?? '', color: 'red', autoClose: 10_000, closeButtonProps: closeButton() })
}

const closeButton = () => ({ 'aria-label': i18next.t('close') })
