import { Anchor, Box, Button, Group, Loader, Modal, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAlertTriangle, IconDownload, IconFile, IconMicrophone, IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import { useErrorWords } from '../../../ui/states.tsx'
import { tellFailed } from '../../../ui/tell.ts'
import classes from '../inbox.module.css'
import { kindWords, sizeWords } from './file-size.ts'
import { at, textAt } from './parts.ts'

type Props = { message: TeamMessage; content: unknown }

/** The file of a message: picture, sticker, sound, film or document; or where it is. */
export function MediaContent({ message, content }: Props) {
  const { media, type } = message
  if (media === null) return <WithoutFile message={message} content={content} />
  switch (type) {
    case 'image':
      return <Picture url={media.url} />
    case 'sticker':
      return <Sticker url={media.url} />
    case 'audio':
      return <Sound url={media.url} isVoice={at(content, 'voice') === true} />
    case 'video':
      return <Film url={media.url} />
    default:
      return <Document message={message} content={content} />
  }
}

function Picture({ url }: { url: string }) {
  const { t } = useTranslation('inbox')
  const [isOpen, { open, close }] = useDisclosure(false)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Broken icon={<IconPhoto size={18} />} url={url} />
  return (
    <>
      <UnstyledButton onClick={open} className={classes.picture} aria-label={t('media.open_image')}>
        <img src={url} alt={t('media.image')} loading="lazy" decoding="async" onError={() => setBroken(true)} />
      </UnstyledButton>
      <Modal
        opened={isOpen}
        onClose={close}
        size="auto"
        title={t('media.image')}
        closeButtonProps={{ 'aria-label': t('media.close') }}
        styles={{ body: { display: 'grid', justifyItems: 'center', gap: 12 } }}
      >
        <img src={url} alt={t('media.image')} className={classes.lightbox} />
        <Anchor href={url} download target="_blank" rel="noreferrer" size="sm">
          {t('media.download')}
        </Anchor>
      </Modal>
    </>
  )
}

function Sticker({ url }: { url: string }) {
  const { t } = useTranslation('inbox')
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <Broken icon={<IconPhoto size={18} />} url={url} />
  return (
    <img
      src={url}
      alt={t('media.sticker')}
      width={128}
      height={128}
      loading="lazy"
      style={{ objectFit: 'contain', display: 'block' }}
      onError={() => setBroken(true)}
    />
  )
}

function Sound({ url, isVoice }: { url: string; isVoice: boolean }) {
  const { t } = useTranslation('inbox')
  const name = isVoice ? t('media.voice') : t('media.audio')
  return (
    <Group gap="xs" wrap="nowrap" className={classes.sound}>
      <IconMicrophone size={18} aria-hidden />
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has the words of what people say */}
      <audio src={url} controls preload="none" aria-label={name} className={classes.player} />
    </Group>
  )
}

function Film({ url }: { url: string }) {
  const { t } = useTranslation('inbox')
  // biome-ignore lint/a11y/useMediaCaption: nobody has the words of what people film
  return <video src={url} controls preload="metadata" playsInline aria-label={t('media.video')} className={classes.film} />
}

function Document({ message, content }: Props) {
  const { t, i18n } = useTranslation('inbox')
  const { media } = message
  const name = textAt(content, 'filename') ?? media?.file_name ?? t('media.document')
  const size = media?.size_bytes == null ? null : sizeWords(media.size_bytes, i18n.language)
  return (
    <a href={media?.url} download={name} target="_blank" rel="noreferrer" className={classes.card}>
      <IconFile size={28} stroke={1.5} aria-hidden />
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={550} lineClamp={2} dir="auto" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="var(--muted)">
          {[kindWords(name, media?.mime_type ?? null), size].filter((each) => each !== null && each !== '').join(' · ')}
        </Text>
      </Box>
      <IconDownload size={18} aria-label={t('media.download')} />
    </a>
  )
}

/** A file that upstream fetched by its link, that is still on its way, or that never came. */
function WithoutFile({ message, content }: Props) {
  const { t } = useTranslation('inbox')
  const link = textAt(content, 'link')
  if (message.file_state === 'failed') return <Failed id={message.id} />
  if (message.file_state === 'fetching')
    return (
      <Group gap="xs" className={classes.card} role="status">
        <Loader size={18} />
        <Text size="sm">{t('media.fetching')}</Text>
      </Group>
    )
  const address = link === null ? null : URL.parse(link)
  if (address === null || !/^https?:$/.test(address.protocol))
    return (
      <Text size="sm" fs="italic" c="var(--muted)">
        {t('media.none', { kind: t(`kind.${message.type}`) })}
      </Text>
    )
  return (
    <a href={address.href} target="_blank" rel="noreferrer noopener nofollow" className={classes.card}>
      <IconFile size={28} stroke={1.5} aria-hidden />
      <Box style={{ minWidth: 0 }}>
        <Text size="sm" fw={550} truncate>
          {textAt(content, 'filename') ?? t(`kind.${message.type}`)}
        </Text>
        <Text size="xs" c="var(--muted)" truncate>
          {t('media.elsewhere', { host: address.host })}
        </Text>
      </Box>
    </a>
  )
}

function Failed({ id }: { id: string }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const words = useErrorWords()
  const retry = useChange('POST /account/messages/{id}/file/retry')
  return (
    <Group gap="xs" className={classes.card} role="status">
      <IconAlertTriangle size={18} aria-hidden />
      <Text size="sm">{t('media.failed')}</Text>
      {can('inbox:write') ? (
        <Button
          size="compact-sm"
          variant="default"
          loading={retry.isPending}
          onClick={() => retry.mutate({ path: { id }, body: {} }, { onError: (error) => tellFailed(words(error)) })}
        >
          {t('media.fetch_again')}
        </Button>
      ) : null}
    </Group>
  )
}

function Broken({ icon, url }: { icon: React.ReactNode; url: string }) {
  const { t } = useTranslation('inbox')
  return (
    <a href={url} target="_blank" rel="noreferrer" className={classes.card}>
      {icon}
      <Text size="sm">{t('media.not_shown')}</Text>
    </a>
  )
}
