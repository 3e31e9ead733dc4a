import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import type { MarketingOptOut } from '../../api/generated/operations.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'

/** Asks before somebody is sent marketing again. */
export function LiftOptOut({ optOut, onClose }: { optOut: MarketingOptOut | null; onClose: () => void }) {
  const { t } = useTranslation('opt-outs')
  const change = useChange('DELETE /account/marketing-opt-outs/{phone}', {
    invalidates: ['GET /account/marketing-opt-outs'],
    onSuccess: () => {
      tellDone(t('lift.done'))
      onClose()
    },
  })
  const key = optOut === null ? '' : optOut.phone || (optOut.user_id ?? '')
  const person = optOut === null ? '' : optOut.phone === '' ? key : phoneWords(optOut.phone)
  return (
    <Confirm
      opened={optOut !== null}
      onClose={() => {
        change.reset()
        onClose()
      }}
      title={t('lift.title')}
      action={t('lift.action')}
      isBusy={change.isPending}
      onConfirm={() => change.mutate({ path: { phone: key }, body: null })}
    >
      <Stack>
        <Text size="sm">{t('lift.text', { person })}</Text>
        {optOut?.source === 'person' || optOut?.source === 'keyword' || optOut?.source === 'upstream' ? (
          <Text size="sm">{t('lift.own_wish')}</Text>
        ) : null}
        {change.error ? <ErrorNote error={change.error} /> : null}
      </Stack>
    </Confirm>
  )
}
