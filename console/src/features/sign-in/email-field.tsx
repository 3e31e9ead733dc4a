import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = { email: string; onEmail: (email: string) => void; isFixed: boolean; autoFocus: boolean }

/** Whose sign-in it is; fixed where an invitation says it. */
export function EmailField({ email, onEmail, isFixed, autoFocus }: Props) {
  const { t } = useTranslation('sign-in')
  return (
    <TextInput
      label={t('email')}
      type="email"
      autoComplete="username"
      required
      withAsterisk={false}
      size="md"
      value={email}
      readOnly={isFixed}
      onChange={(event) => onEmail(event.currentTarget.value)}
      autoFocus={autoFocus}
    />
  )
}
