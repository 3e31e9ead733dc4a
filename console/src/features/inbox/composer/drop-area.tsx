import { Center, Portal, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type RefObject, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

type Props = {
  /** Something within the area: its nearest `data-drop-area`, or what holds it, takes the files. */
  within: RefObject<HTMLElement | null>
  onFiles: (files: File[]) => void
}

/** Takes files that are dragged onto the thread, and shows where they will go. Beside it a dropped file must not replace the page. */
export function DropArea({ within, onFiles }: Props) {
  const { t } = useTranslation('composer')
  const [place, setPlace] = useState<DOMRect | null>(null)
  useEffect(() => {
    const areaOf = () => within.current?.closest('[data-drop-area]') ?? within.current?.parentElement ?? null
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setPlace(areaOf()?.getBoundingClientRect() ?? null)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setPlace(null)
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      setPlace(null)
      if (event.target instanceof Node && areaOf()?.contains(event.target)) onFiles([...event.dataTransfer.files])
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [within, onFiles])
  if (place === null) return null
  return (
    <Portal>
      <Center
        style={{
          position: 'fixed',
          left: place.left,
          top: place.top,
          width: place.width,
          height: place.height,
          zIndex: 300,
          // The drop is for what lies below.
          pointerEvents: 'none',
          background: 'light-dark(rgb(255 255 255 / 0.88), rgb(20 22 23 / 0.88))',
          outline: '2px dashed var(--mantine-primary-color-filled)',
          outlineOffset: -10,
        }}
      >
        <Stack align="center" gap="xs">
          <IconUpload size={32} />
          <Text fw={600}>{t('files.drop')}</Text>
          <Text size="sm" c="var(--muted)" ta="center" px="md" maw={420}>
            {t('files.limits')}
          </Text>
        </Stack>
      </Center>
    </Portal>
  )
}
