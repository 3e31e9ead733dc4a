import { ActionIcon, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { OnceOpened } from '../ui/once-opened.tsx'

/** Loaded when it is first opened. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

const keys = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'

/** Opens the palette, by hand or by Ctrl+K from anywhere, also from a text that is being written. */
export function PaletteButton() {
  const { t } = useTranslation('app')
  const [isOpen, { open, close, toggle }] = useDisclosure(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      toggle()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [toggle])
  return (
    <>
      <UnstyledButton onClick={open} visibleFrom="sm" className="palette-button" title={t('palette.label')}>
        <IconSearch size={16} aria-hidden />
        <Text span size="sm" c="var(--muted)" style={{ flex: 1 }}>
          {t('palette.open')}
        </Text>
        <kbd>{keys}</kbd>
      </UnstyledButton>
      <ActionIcon onClick={open} hiddenFrom="sm" variant="subtle" color="gray" size={40} aria-label={t('palette.label')}>
        <IconSearch size={20} />
      </ActionIcon>
      <OnceOpened opened={isOpen}>
        <Palette opened={isOpen} onClose={close} />
      </OnceOpened>
    </>
  )
}
