import { Alert, Button, FileButton, Group, Progress, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowLeft, IconSend, IconUpload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import type { Media, Template } from '../../../api/generated/operations.ts'
import { uploadFile } from '../../../api/upload.ts'
import { ErrorNote } from '../../../ui/states.tsx'
import { readTemplate } from '../../../ui/template-parts.ts'
import { TemplatePreview } from '../../../ui/template-preview.tsx'
import type { FilledTemplate } from './send-of-template.ts'
import {
  bodyText,
  componentsOf,
  fieldsOf,
  type Given,
  type MediaFormat,
  missingIn,
  previewValues,
  type TemplateField,
} from './template-fields.ts'

type Props = { template: Template; isBusy?: boolean; onBack: () => void; onSend: (filled: FilledTemplate) => void }

/** What a template needs for this send, with what the person will see. Nothing leaves while something is empty. */
export function TemplateForm({ template, isBusy = false, onBack, onSend }: Props) {
  const { t } = useTranslation('composer')
  const [given, setGiven] = useState<Given>({ texts: {}, media: null })
  const [asked, setAsked] = useState(false)
  const fields = fieldsOf(template)
  const missing = missingIn(fields, given)
  const send = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (missing.length > 0 || isBusy) return
    const components = componentsOf(template, given)
    const named = { name: template.name ?? '', language: template.language ?? '' }
    onSend({ template: components === null ? named : { ...named, components }, text: bodyText(template, fields, given) })
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Button
          style={{ alignSelf: 'flex-start' }}
          variant="subtle"
          size="compact-md"
          mih={40}
          leftSection={<IconArrowLeft size={16} />}
          onClick={onBack}
        >
          {t('template.back')}
        </Button>
        <Group gap="xs" wrap="nowrap">
          <Text fw={600} truncate>
            {template.name}
          </Text>
          <Text size="sm" c="var(--muted)">
            {template.language}
          </Text>
        </Group>
        <TemplatePreview parts={readTemplate(template.components)} values={previewValues(fields, given)} />
        {fields.map((field, i) => (
          <Field
            key={field.id}
            field={field}
            isFirst={i === 0}
            given={given}
            wrong={asked && missing.includes(field.id)}
            onChange={(what) => setGiven((before) => ({ ...before, ...what(before) }))}
          />
        ))}
        {asked && missing.length > 0 ? (
          <Alert color="red" role="alert" p="xs">
            {t('template.missing', { count: missing.length })}
          </Alert>
        ) : null}
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={isBusy}
            leftSection={<IconSend size={16} />}
            data-autofocus={fields.length === 0 ? true : undefined}
          >
            {t('template.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type FieldProps = {
  field: TemplateField
  isFirst: boolean
  given: Given
  wrong: boolean
  onChange: (what: (before: Given) => Partial<Given>) => void
}

function Field({ field, isFirst, given, wrong, onChange }: FieldProps) {
  const { t } = useTranslation('composer')
  if (field.part === 'media')
    return <MediaField format={field.format} media={given.media} wrong={wrong} onMedia={(media) => onChange(() => ({ media }))} />
  const label =
    field.part === 'button'
      ? t(`template.field.${field.kind}`, { button: field.name })
      : field.part === 'location'
        ? t(`template.location.${field.name}`)
        : t(`template.field.${field.part}`, { name: field.name })
  return (
    <TextInput
      label={label}
      required
      data-autofocus={isFirst ? true : undefined}
      placeholder={field.example === null ? '' : t('template.example', { example: field.example })}
      value={given.texts[field.id] ?? ''}
      error={wrong ? t('template.empty') : null}
      onChange={(event) => {
        const { value } = event.currentTarget
        onChange(({ texts }) => ({ texts: { ...texts, [field.id]: value } }))
      }}
    />
  )
}

const accepted: Readonly<Record<MediaFormat, string>> = {
  IMAGE: 'image/jpeg,image/png',
  VIDEO: 'video/mp4,video/3gpp',
  DOCUMENT: '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt',
}

/** The header's file, uploaded at once. */
function MediaField({
  format,
  media,
  wrong,
  onMedia,
}: {
  format: MediaFormat
  media: Media | null
  wrong: boolean
  onMedia: (media: Media | null) => void
}) {
  const { t } = useTranslation('composer')
  const { id: accountId } = useAccount()
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const take = async (file: File | null) => {
    if (file === null) return
    setError(null)
    setProgress(0)
    try {
      onMedia(await uploadFile(file, { accountId, signal: new AbortController().signal, onProgress: setProgress }))
    } catch (refusal) {
      setError(refusal)
    }
    setProgress(null)
  }
  const isOther = media !== null && media.suggested_type.toUpperCase() !== format
  return (
    <Stack gap={6}>
      <Group gap="sm">
        <FileButton onChange={(file) => void take(file)} accept={accepted[format]}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} />} loading={progress !== null}>
              {t(`template.media.${format}`)}
            </Button>
          )}
        </FileButton>
        {media === null ? null : <Text size="sm">{media.file_name ?? media.id}</Text>}
      </Group>
      {progress === null ? null : <Progress value={progress * 100} aria-label={t('files.uploading', { name: '' })} />}
      {error === null ? null : <ErrorNote error={error} />}
      {wrong || isOther ? (
        <Text size="sm" c="light-dark(#b3261e, #ff9d95)" role="alert">
          {isOther ? t('template.other_kind') : t('template.no_media')}
        </Text>
      ) : null}
    </Stack>
  )
}
