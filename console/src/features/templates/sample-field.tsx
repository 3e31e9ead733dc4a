import { Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { type ApiError, call } from '../../api/client.ts'
import { ErrorNote } from '../../ui/states.tsx'

const accepted = { IMAGE: 'image/jpeg,image/png', VIDEO: 'video/mp4', DOCUMENT: 'application/pdf' } as const

type Props = {
  format: keyof typeof accepted
  handle: string
  channelId: string | undefined
  onHandle: (handle: string) => void
}

/** The file that WhatsApp looks at in its review: it is given to Meta at once, and the template gets the handle that comes back. */
export function SampleField({ format, handle, channelId, onHandle }: Props) {
  const { t } = useTranslation('templates')
  const { id: accountId, mode } = useAccount()
  const give = useMutation<string, ApiError, File>({
    mutationFn: async (file) => {
      const form = new FormData()
      form.append('file', file, file.name)
      const query = channelId === undefined ? {} : { channel_id: channelId }
      const { handle: made } = await call('POST /account/templates/samples', { query, body: form } as never, { accountId, mode })
      return made
    },
    onMutate: () => onHandle(''),
    onSuccess: onHandle,
  })
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <FileButton accept={accepted[format]} onChange={(file) => (file === null ? undefined : give.mutate(file))}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} />} loading={give.isPending}>
              {handle === '' ? t('header.sample') : t('header.sample_another')}
            </Button>
          )}
        </FileButton>
        {handle === '' ? null : (
          <Text size="sm" aria-live="polite">
            {t('header.sample_there', { name: give.variables?.name ?? '' })}
          </Text>
        )}
      </Group>
      <Text size="xs" c="var(--muted)">
        {t('header.sample_help')}
      </Text>
      {give.error ? <ErrorNote error={give.error} /> : null}
    </Stack>
  )
}
