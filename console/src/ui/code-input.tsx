import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

const digits = 6

type Props = {
  value: string
  onChange: (value: string) => void
  /** Called once when the last digit is there. */
  onComplete?: (code: string) => void
  error?: string | undefined
  autoFocus?: boolean
}

/** The six digits that an app shows; what is pasted with spaces is understood. */
export function CodeInput({ value, onChange, onComplete, error, autoFocus = false }: Props) {
  const { t } = useTranslation('people')
  return (
    <TextInput
      label={t('code.label')}
      value={value}
      onChange={(event) => {
        const code = event.currentTarget.value.replaceAll(/\D/g, '').slice(0, digits)
        onChange(code)
        if (code.length === digits && code !== value) onComplete?.(code)
      }}
      error={error}
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="000000"
      size="md"
      autoFocus={autoFocus}
      data-autofocus
      styles={{ input: { letterSpacing: '0.35em', fontVariantNumeric: 'tabular-nums', fontWeight: 600 } }}
    />
  )
}
