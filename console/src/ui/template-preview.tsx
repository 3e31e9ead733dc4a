import { Box, Center, Group, Stack, Text } from '@mantine/core'
import {
  IconArrowBackUp,
  IconCopy,
  IconExternalLink,
  IconFile,
  IconGif,
  IconLayoutList,
  IconMapPin,
  IconPhone,
  IconPhoto,
  IconVideo,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormattedText } from './formatted-text.tsx'
import { fillIn, type HeaderFormat, piecesOf, type TemplateButton, type TemplateParts, type TemplateValues } from './template-parts.ts'

/**
 * A template as the person sees it in WhatsApp: header, body, footer, buttons. Takes what `readTemplate(template.components)` gives, or the same
 * parts from a form that is being filled. `values` fill its variables; a variable without one is shown as a marked gap.
 */
export function TemplatePreview({ parts, values = {} }: { parts: TemplateParts; values?: TemplateValues }) {
  const { t } = useTranslation('app')
  return (
    <Box
      role="figure"
      aria-label={t('template.preview')}
      p="md"
      style={{ background: 'var(--page)', border: '1px solid var(--line)', borderRadius: 'var(--mantine-radius-md)' }}
    >
      <Stack gap={6} maw={340} mx="auto">
        <Bubble parts={parts} values={values} />
        {parts.cards.length === 0 ? null : (
          <Group gap={6} wrap="nowrap" align="stretch" tabIndex={0} style={{ overflowX: 'auto' }}>
            {parts.cards.map((card, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cards are known by their place
              <Box key={i} w={220} style={{ flexShrink: 0 }}>
                <Bubble parts={card} values={{}} />
              </Box>
            ))}
          </Group>
        )}
      </Stack>
    </Box>
  )
}

function Bubble({ parts: { header, body, footer, buttons }, values }: { parts: TemplateParts; values: TemplateValues }) {
  return (
    <Box style={{ background: 'var(--bubble-in)', borderRadius: 12, boxShadow: '0 1px 2px rgb(0 0 0 / 0.16)', overflow: 'hidden' }}>
      <Stack gap={6} p="xs">
        {header === null || header.format === 'TEXT' ? null : <HeaderMedia format={header.format} media={values.media ?? null} />}
        {header?.format === 'TEXT' && header.text !== '' ? (
          <Text fw={600} size="sm" component="div" dir="auto">
            {filled(header.text, values.header)}
          </Text>
        ) : null}
        {body === '' ? null : (
          <Text size="sm" component="div">
            <FormattedText text={body} plain={(text) => filled(text, values.body)} />
          </Text>
        )}
        {footer === null ? null : (
          <Text size="xs" c="var(--muted)" dir="auto">
            {footer}
          </Text>
        )}
      </Stack>
      {buttons.map((button, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons are known by their place
        <ButtonLine key={i} button={button} suffix={values.buttons?.[i]} />
      ))}
    </Box>
  )
}

/** A text with its values; what has none yet is a gap that one sees. */
function filled(text: string, values: Readonly<Record<string, string>> = {}): ReactNode {
  return piecesOf(text).map((piece, i) => {
    const value = piece.variable === null ? piece.text : values[piece.variable]
    if (value) return value
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces are known by their place
      <Text key={i} span inherit px={4} style={{ background: 'light-dark(#fdeec8, #57430f)', borderRadius: 4, whiteSpace: 'nowrap' }}>
        {piece.text}
      </Text>
    )
  })
}

const pictures: Readonly<Record<Exclude<HeaderFormat, 'TEXT'>, ReactNode>> = {
  IMAGE: <IconPhoto size={32} />,
  VIDEO: <IconVideo size={32} />,
  GIF: <IconGif size={32} />,
  DOCUMENT: <IconFile size={32} />,
  LOCATION: <IconMapPin size={32} />,
}

function HeaderMedia({ format, media }: { format: Exclude<HeaderFormat, 'TEXT'>; media: { url: string; name: string } | null }) {
  const { t } = useTranslation('app')
  const size = { width: '100%', maxHeight: 180, objectFit: 'cover', borderRadius: 8, display: 'block' } as const
  if (media !== null && format === 'IMAGE') return <img src={media.url} alt={media.name} style={size} />
  if (media !== null && (format === 'VIDEO' || format === 'GIF'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: it is the sender's own file, and the platform has no captions
      <video src={media.url} controls style={size} aria-label={media.name} />
    )
  return (
    <Center h={media === null ? 110 : 64} style={{ background: 'light-dark(#e8edee, #31383c)', borderRadius: 8 }}>
      <Stack gap={2} align="center" c="var(--muted)">
        {pictures[format] ?? <IconFile size={32} />}
        <Text size="xs" ta="center" px="xs" style={{ overflowWrap: 'anywhere' }}>
          {media?.name ?? t(`template.header.${format}`)}
        </Text>
      </Stack>
    </Center>
  )
}

const signs: Readonly<Record<string, ReactNode>> = {
  QUICK_REPLY: <IconArrowBackUp size={16} />,
  URL: <IconExternalLink size={16} />,
  PHONE_NUMBER: <IconPhone size={16} />,
  COPY_CODE: <IconCopy size={16} />,
  OTP: <IconCopy size={16} />,
}

function ButtonLine({ button, suffix }: { button: TemplateButton; suffix: string | undefined }) {
  const { t } = useTranslation('app')
  return (
    <Stack gap={0} p={8} align="center" style={{ borderTop: '1px solid var(--line)' }}>
      <Group gap={6} wrap="nowrap" justify="center" c="light-dark(#0b635c, #76c5b9)">
        {signs[button.type] ?? <IconLayoutList size={16} />}
        <Text size="sm" fw={500}>
          {button.text || t('template.copy_code')}
        </Text>
      </Group>
      {button.url === null ? null : (
        <Text size="xs" c="var(--muted)" ta="center" style={{ overflowWrap: 'anywhere' }}>
          {suffix === undefined ? button.url : fillIn(button.url, { 1: suffix })}
        </Text>
      )}
    </Stack>
  )
}
