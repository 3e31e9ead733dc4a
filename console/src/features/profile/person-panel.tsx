import { Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/account.ts'
import { type Me, useMeAgain } from '../../api/me.ts'
import { type Language, setLanguage } from '../../app/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'

const languages = [
  { value: 'pt-BR', label: 'Português' },
  { value: 'en', label: 'English' },
]

/** Name, address and language. */
export function PersonPanel({ user }: { user: Me['user'] }) {
  const { t, i18n } = useTranslation('profile')
  const { t: tApp } = useTranslation('app')
  const [name, setName] = useState(user.name)
  const languageId = useId()
  const meAgain = useMeAgain()
  const rename = useChange('PATCH /me', { onSuccess: () => tellDone(t('person.saved')) })
  const speak = useChange('PATCH /me')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate({ body: { name: name.trim() } }, { onSuccess: () => void meAgain() })
  }
  const choose = (language: Language) => {
    void setLanguage(language)
    speak.mutate({ body: { language } }, { onSuccess: () => void meAgain() })
  }
  return (
    <Panel title={t('person.title')}>
      <Stack>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label={t('person.name')}
              description={t('person.name_text')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              maxLength={120}
              autoComplete="name"
              required
              withAsterisk={false}
              style={{ flex: 1 }}
            />
            <Button type="submit" variant="default" loading={rename.isPending} disabled={name.trim() === user.name || name.trim() === ''}>
              {tApp('save')}
            </Button>
          </Group>
        </form>
        <TextInput label={t('person.email')} value={user.email} readOnly variant="filled" />
        <Stack gap={4} align="flex-start">
          <Text size="sm" fw={500} id={languageId}>
            {t('person.language')}
          </Text>
          <SegmentedControl
            aria-labelledby={languageId}
            data={languages}
            value={i18n.language}
            onChange={(value) => choose(value as Language)}
          />
        </Stack>
        {rename.error || speak.error ? <ErrorNote error={rename.error ?? speak.error} /> : null}
      </Stack>
    </Panel>
  )
}
