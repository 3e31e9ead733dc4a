import { Radio, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import type { Template } from '../../api/generated/operations.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'

type Props = { opened: boolean; onClose: () => void; template: Template; languages: number; channel: string | undefined }

/** Asks before a template goes, in one language or in all. */
export function DeleteTemplate({ opened, onClose, template: { id, name, language }, languages, channel }: Props) {
  const { t } = useTranslation('templates')
  const { id: accountId } = useAccount()
  const navigate = useNavigate()
  const [isOnlyThis, setOnlyThis] = useState(true)
  const change = useChange('DELETE /account/templates/{name}', {
    invalidates: ['GET /account/templates', 'GET /account/templates/{name}'],
    onSuccess: () => {
      tellDone(t('delete.done', { name }))
      void navigate({ to: '/a/$accountId/settings/templates', params: { accountId }, search: channel === undefined ? {} : { channel } })
    },
  })
  const remove = () =>
    change.mutate({
      path: { name: name ?? '' },
      query: {
        ...(languages > 1 && isOnlyThis && id !== null ? { hsm_id: id } : {}),
        ...(channel === undefined ? {} : { channel_id: channel }),
      },
      body: null,
    })
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('delete.title', { name })}
      action={t('delete.action')}
      isBusy={change.isPending}
      onConfirm={remove}
    >
      <Stack>
        <Text size="sm">{t('delete.text')}</Text>
        {languages > 1 ? (
          <Radio.Group label={t('delete.what')} value={isOnlyThis ? 'one' : 'all'} onChange={(value) => setOnlyThis(value === 'one')}>
            <Stack gap="xs" mt="xs">
              <Radio value="one" label={t('delete.one', { language })} />
              <Radio value="all" label={t('delete.all')} />
            </Stack>
          </Radio.Group>
        ) : null}
        {change.error ? <ErrorNote error={change.error} /> : null}
      </Stack>
    </Confirm>
  )
}
