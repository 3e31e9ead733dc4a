import {
  IconBan,
  IconFile,
  IconFileText,
  IconMapPin,
  IconMicrophone,
  IconPhoto,
  IconSticker,
  IconUser,
  IconVideo,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { withoutMarks } from '../../../ui/whatsapp-text.ts'

const size = 14
/** More than a line holds. */
const charsShown = 300
const icons: Readonly<Record<string, ReactNode>> = {
  image: <IconPhoto size={size} aria-hidden />,
  video: <IconVideo size={size} aria-hidden />,
  audio: <IconMicrophone size={size} aria-hidden />,
  document: <IconFile size={size} aria-hidden />,
  sticker: <IconSticker size={size} aria-hidden />,
  location: <IconMapPin size={size} aria-hidden />,
  contact: <IconUser size={size} aria-hidden />,
  template: <IconFileText size={size} aria-hidden />,
}

type Props = { type: string; text: string | null; isDeleted?: boolean }

/** A message in one line: an icon of its type, and its words or what it is. */
export function Preview({ type, text, isDeleted = false }: Props) {
  const { t } = useTranslation('inbox')
  const icon = isDeleted ? <IconBan size={size} aria-hidden /> : icons[type]
  return (
    <>
      {icon}
      {icon === undefined ? '' : ' '}
      {isDeleted ? t('deleted') : text === null ? t(`kind.${type}`) : withoutMarks(text.slice(0, charsShown))}
    </>
  )
}
