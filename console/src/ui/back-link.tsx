import { Anchor, Group } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAccount } from '../api/account.ts'

type Place =
  | '/a/$accountId/settings/channels'
  | '/a/$accountId/settings/webhooks'
  | '/a/$accountId/settings/templates'
  | '/a/$accountId/messages'

/** Leads back to the list that a page belongs to. */
export function BackLink({ to, children }: { to: Place; children: ReactNode }) {
  const { id } = useAccount()
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to={to} params={{ accountId: id }} />}>
      <Group gap={4} component="span" display="inline-flex">
        <IconArrowLeft size={14} aria-hidden />
        {children}
      </Group>
    </Anchor>
  )
}
