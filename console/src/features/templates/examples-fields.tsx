import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = {
  variables: readonly string[]
  values: Readonly<Record<string, string>>
  onChange: (values: Readonly<Record<string, string>>) => void
}

/** An example for each variable: the review wants to see what will stand there. */
export function Examples({ variables, values, onChange }: Props) {
  const { t } = useTranslation('templates')
  if (variables.length === 0) return null
  return (
    <Stack gap="xs">
      <Text size="sm" c="var(--muted)">
        {t('examples')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {variables.map((name) => (
          <TextInput
            key={name}
            label={t('example_of', { name: `{{${name}}}` })}
            value={values[name] ?? ''}
            maxLength={200}
            onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}
