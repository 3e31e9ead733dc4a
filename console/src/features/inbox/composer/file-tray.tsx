import { ActionIcon, Alert, Box, Button, Center, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconFile, IconX } from '@tabler/icons-react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RefusalWords } from '../../../ui/refusal-words.tsx'
import { Said } from '../../../ui/said.tsx'
import type { Attach } from './attach.ts'
import { addressOfFile } from './attach.ts'
import type { DraftFile } from './drafts.ts'

type Props = {
  files: readonly DraftFile[]
  attach: Attach
  onCaption: (id: string, caption: string) => void
  onSend: () => void
}

/** The files that go with the next send, in their order; each becomes a message of its own. */
export function FileTray({ files, attach, onCaption, onSend }: Props) {
  const { t } = useTranslation('composer')
  if (files.length === 0) return null
  return (
    <Stack component="ul" gap={6} m={0} p={6} mah={280} aria-label={t('files.list')} style={{ listStyle: 'none', overflowY: 'auto' }}>
      {files.map((file) => (
        <li key={file.id}>
          <FileRow file={file} attach={attach} onCaption={onCaption} onSend={onSend} />
        </li>
      ))}
    </Stack>
  )
}

function FileRow({ file, attach, onCaption, onSend }: Omit<Props, 'files'> & { file: DraftFile }) {
  const { t } = useTranslation('composer')
  const kind = kindOf(file)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  return (
    <Box p={8} style={{ border: '1px solid var(--line)', borderRadius: 8 }}>
      <Group wrap="nowrap" gap="sm" align="center">
        <Preview file={file} kind={kind} />
        <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
          <Text size="sm" fw={500} truncate>
            {file.name}
          </Text>
          {kind === 'audio' || kind === 'sticker' || file.error !== null ? null : (
            <TextInput
              size="sm"
              value={file.caption}
              onChange={(event) => onCaption(file.id, event.currentTarget.value)}
              onKeyDown={onKeyDown}
              placeholder={t('files.caption')}
              aria-label={t('files.caption_of', { name: file.name })}
              maxLength={1024}
            />
          )}
          {file.media === null && file.error === null ? (
            <Progress.Root size="sm">
              <Progress.Section value={file.progress * 100} aria-label={t('files.uploading', { name: file.name })} />
            </Progress.Root>
          ) : null}
        </Stack>
        <ActionIcon
          size={40}
          variant="subtle"
          color="gray"
          onClick={() => attach.remove(file.id)}
          aria-label={t('files.remove', { name: file.name })}
        >
          <IconX size={18} />
        </ActionIcon>
      </Group>
      {file.error === null ? null : <Refused file={file} again={() => attach.again(file.id)} />}
    </Box>
  )
}

/** Why a file was not taken, and what can be. */
function Refused({ file: { error }, again }: { file: DraftFile; again: () => void }) {
  const { t } = useTranslation('composer')
  const isPassing = error !== null && (error.status === 0 || error.status === 429 || error.status >= 500)
  return (
    <Alert color="red" mt={8} p="xs" role="alert" title={isPassing ? t('files.failed') : t('files.refused')}>
      {isPassing ? null : <RefusalWords error={error} />}
      <Text size="xs">{isPassing ? t('files.failed_advice') : t('files.limits')}</Text>
      {error === null || isPassing ? null : <Said>{error.message}</Said>}
      {isPassing ? (
        <Button size="xs" variant="default" mt={6} onClick={again}>
          {t('failed.retry')}
        </Button>
      ) : null}
    </Alert>
  )
}

function kindOf({ media, mimeType }: DraftFile): string {
  return media?.suggested_type ?? /^(image|video|audio)\//.exec(mimeType)?.[1] ?? 'document'
}

function Preview({ file, kind }: { file: DraftFile; kind: string }): ReactNode {
  const url = addressOfFile(file)
  const size = { width: 56, height: 56, objectFit: 'cover', borderRadius: 6, flexShrink: 0 } as const
  if (url !== null && (kind === 'image' || kind === 'sticker')) return <img src={url} alt="" style={size} />
  if (url !== null && kind === 'video') return <video src={url} muted preload="metadata" style={size} aria-hidden />
  // biome-ignore lint/a11y/useMediaCaption: it is the sender's own recording
  if (url !== null && kind === 'audio') return <audio src={url} controls preload="metadata" style={{ width: 200, height: 40 }} />
  return (
    <Center w={56} h={56} bg="light-dark(#eef1f2, #2a3033)" c="var(--muted)" style={{ borderRadius: 6, flexShrink: 0 }}>
      <IconFile size={24} />
    </Center>
  )
}
