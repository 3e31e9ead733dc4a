import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { CodeSample } from '../../ui/code-sample.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { Empty } from '../../ui/states.tsx'
import { CreateKey } from './create-key.tsx'
import { firstCall } from './first-call.ts'
import type { ApiKey, NewKey } from './key.ts'
import { KeyTable } from './key-table.tsx'
import { RevokeKey } from './revoke-key.tsx'

/** The keys that the company's system calls with. */
export function ApiKeysPage() {
  const { t } = useTranslation('api-keys')
  const { can } = useAccount()
  const keys = useRead('GET /account/api-keys', {}, { refetchInterval: 30_000 })
  const [isCreating, creating] = useDisclosure(false)
  const [made, setMade] = useState<NewKey | null>(null)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const newestFirst = (keys.data?.data ?? []).toReversed()
  const revoked = newestFirst.filter((key) => key.revoked_at !== null)
  const mayWrite = can('keys:write')
  const create = mayWrite ? (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      {t('create')}
    </Button>
  ) : null
  const example = made === null ? null : firstCall(made, window.location.origin)
  return (
    <Page title={t('title')} intro={t('intro')} actions={create}>
      <Panel padding={0}>
        <KeyTable
          label={t('active')}
          keys={newestFirst.filter((key) => key.revoked_at === null)}
          read={keys}
          onRevoke={mayWrite ? setRevoking : undefined}
          empty={
            <Empty icon={<IconKey size={32} aria-hidden />} title={t('empty.title')} action={create}>
              {t('empty.text')}
            </Empty>
          }
        />
      </Panel>
      {revoked.length === 0 ? null : (
        <Panel title={t('revoked')} padding={0}>
          <KeyTable label={t('revoked')} keys={revoked} read={keys} empty={null} />
        </Panel>
      )}
      <CreateKey opened={isCreating} onClose={creating.close} onMade={setMade} />
      <SecretOnce title={t('made.title')} intro={t('made.intro')} secret={made?.key ?? null} onClose={() => setMade(null)}>
        {example === null ? undefined : <CodeSample code={example} label={t('made.example')} />}
      </SecretOnce>
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </Page>
  )
}
