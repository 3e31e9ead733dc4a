import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Account, useAccount } from '../../api/account.ts'

export type Role = Account['role']

const roles: readonly Role[] = ['owner', 'admin', 'agent', 'viewer']

/** The roles with what each may do. Only an owner is offered to make owners. */
export function RoleChoice({ value, onChange, label }: { value: Role; onChange: (role: Role) => void; label: string }) {
  const { t } = useTranslation('people')
  const { role: mine } = useAccount()
  const offered = roles.filter((role) => role !== 'owner' || mine === 'owner' || value === 'owner')
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Role)}>
      <Stack gap="sm" mt="xs">
        {offered.map((role) => (
          <Radio key={role} value={role} label={t(`role.${role}.name`)} description={t(`role.${role}.may`)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
