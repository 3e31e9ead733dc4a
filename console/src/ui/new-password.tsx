import { Group, PasswordInput, Stack, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

/** What the server asks for at least; it decides, this only says so early. */
const passwordCharsMin = 10

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  size?: 'sm' | 'md'
}

/** The field for a password that somebody chooses, with what is still missing and how well it would hold. */
export function NewPassword({ label, value, onChange, error, size = 'sm' }: Props) {
  const { t } = useTranslation('people')
  const hintId = useId()
  const strength = strengthOf(value)
  return (
    <Stack gap={6}>
      <PasswordInput
        label={label}
        size={size}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        autoComplete="new-password"
        required
        withAsterisk={false}
        aria-describedby={hintId}
        visibilityToggleButtonProps={{ 'aria-label': t('password.show') }}
      />
      <Group gap={4} aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <div
            key={step}
            style={{ flex: 1, height: 4, borderRadius: 2, background: step <= strength ? colors[strength] : 'var(--line)' }}
          />
        ))}
      </Group>
      <Text id={hintId} size="xs" c="var(--muted)" aria-live="polite">
        {value === ''
          ? t('password.at_least', { count: passwordCharsMin })
          : value.length < passwordCharsMin
            ? t('password.missing', { count: passwordCharsMin - value.length })
            : t(`password.strength.${strengths[strength]}`)}
      </Text>
    </Stack>
  )
}

const strengths = ['weak', 'weak', 'fair', 'good'] as const
const colors = [
  'var(--line)',
  'var(--mantine-color-red-6)',
  'var(--mantine-color-yellow-6)',
  'var(--mantine-primary-color-filled)',
] as const

/** 0: nothing yet, to 3. Length counts most: a few words are better than one with signs. */
function strengthOf(password: string): 0 | 1 | 2 | 3 {
  if (password === '') return 0
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/].filter((kind) => kind.test(password)).length
  if (password.length < passwordCharsMin || new Set(password).size < 5) return 1
  return password.length >= 16 || (password.length >= 12 && kinds >= 3) ? 3 : 2
}
