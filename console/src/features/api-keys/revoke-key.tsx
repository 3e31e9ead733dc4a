import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useErrorWords } from '../../ui/states.tsx'
import { tellDone, tellFailed } from '../../ui/tell.ts'
import type { ApiKey } from './key.ts'

/** Asks, and revokes: what still calls with the key is refused from then on. */
export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { t } = useTranslation('api-keys')
  const words = useErrorWords()
  const revoke = useChange('DELETE /account/api-keys/{id}', { invalidates: ['GET /account/api-keys'] })
  const name = apiKey?.name ?? t('unnamed')
  const confirm = () => {
    if (apiKey === null) return
    revoke.mutate(
      { path: { id: apiKey.id }, body: {} },
      {
        onSuccess: () => tellDone(t('revoke.done', { name })),
        onError: (error) => tellFailed(words(error)),
        onSettled: onClose,
      },
    )
  }
  return (
    <Confirm
      opened={apiKey !== null}
      title={t('revoke.title', { name })}
      action={t('revoke.action')}
      isBusy={revoke.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t('revoke.text')}
    </Confirm>
  )
}
