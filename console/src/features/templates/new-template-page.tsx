import { Box, Button, Grid, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useChange } from '../../api/account.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote } from '../../ui/states.tsx'
import { tellDone } from '../../ui/tell.ts'
import { readTemplate } from '../../ui/template-parts.ts'
import { TemplatePreview } from '../../ui/template-preview.tsx'
import { useRefusal } from '../../ui/use-refusal.ts'
import { BodyFields } from './body-fields.tsx'
import { ButtonFields } from './button-fields.tsx'
import { CodeFields } from './code-fields.tsx'
import { bodyOf, componentsOf, type Draft, emptyDraft } from './draft.ts'
import { HeaderFields } from './header-fields.tsx'
import { templateName } from './template-name.ts'
import { categories } from './template-words.tsx'
import { useWabas } from './wabas.ts'

const languages = ['pt_BR', 'pt_PT', 'en', 'en_US', 'en_GB', 'es', 'es_AR', 'es_MX', 'es_ES', 'fr', 'it', 'de'] as const

/** Writes a template, with what the person will see beside it, and submits it to the platform's review. */
export function NewTemplatePage() {
  const { t } = useTranslation('templates')
  const { id: accountId } = useAccount()
  const navigate = useNavigate()
  const search = useSearch({ from: '/a/$accountId/settings/templates/new' })
  const wabas = useWabas()
  const [channel, setChannel] = useState(search.channel)
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const of = channel ?? (wabas.length > 1 ? wabas[0]?.channelId : undefined)
  const change = useChange('POST /account/templates', {
    invalidates: ['GET /account/templates'],
    onSuccess: () => {
      tellDone(t('create.done'))
      void navigate({
        to: '/a/$accountId/settings/templates/$name',
        params: { accountId, name: draft.name },
        search: { language: draft.language, ...(of === undefined ? {} : { channel: of }) },
      })
    },
  })
  const { name, category, language, ...parts } = draft
  const { error, errors } = useRefusal(change.error, { name, category, language, components: JSON.stringify(parts), channel_id: of })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate({ body: { ...bodyOf(draft), ...(of === undefined ? {} : { channel_id: of }) } })
  }
  return (
    <Page
      title={t('create.title')}
      intro={t('create.intro')}
      back={<BackLink to="/a/$accountId/settings/templates">{t('title')}</BackLink>}
    >
      <form onSubmit={submit} noValidate>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack gap="lg">
              <Panel>
                <Stack gap="md">
                  {wabas.length > 1 ? (
                    <NativeSelect
                      label={t('waba')}
                      value={of}
                      data={wabas.map(({ channelId: value, label }) => ({ value, label }))}
                      onChange={(event) => setChannel(event.currentTarget.value)}
                    />
                  ) : null}
                  <TextInput
                    label={t('field.name')}
                    description={t('create.name_rule')}
                    value={draft.name}
                    maxLength={512}
                    error={errors.name}
                    spellCheck={false}
                    autoCapitalize="none"
                    onChange={(event) => set({ name: templateName(event.currentTarget.value) })}
                    required
                  />
                  <Group grow align="flex-start">
                    <NativeSelect
                      label={t('field.category')}
                      description={t(`category_help.${draft.category}`)}
                      inputWrapperOrder={['label', 'input', 'description', 'error']}
                      value={draft.category}
                      error={errors.category}
                      data={categories.map((value) => ({ value, label: t(`category.${value}`) }))}
                      onChange={(event) => set({ category: categories.find((each) => each === event.currentTarget.value) ?? 'UTILITY' })}
                    />
                    <NativeSelect
                      label={t('field.language')}
                      value={draft.language}
                      error={errors.language}
                      data={[...languages]}
                      onChange={(event) => set({ language: event.currentTarget.value })}
                    />
                  </Group>
                </Stack>
              </Panel>
              {draft.category === 'AUTHENTICATION' ? (
                <CodeFields draft={draft} onChange={set} />
              ) : (
                <>
                  <HeaderFields draft={draft} channelId={of} onChange={set} />
                  <BodyFields draft={draft} onChange={set} />
                  <ButtonFields draft={draft} onChange={set} />
                </>
              )}
              {error ? <ErrorNote error={error} /> : null}
              <Group justify="flex-end">
                <Button type="submit" loading={change.isPending}>
                  {t('create.submit')}
                </Button>
              </Group>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Box style={{ position: 'sticky', top: 16 }}>
              <Panel title={t('preview')}>
                <Preview draft={draft} />
              </Panel>
            </Box>
          </Grid.Col>
        </Grid>
      </form>
    </Page>
  )
}

/** A code's words are the platform's own: about these. */
function Preview({ draft }: { draft: Draft }) {
  const { t } = useTranslation('templates')
  if (draft.category !== 'AUTHENTICATION') {
    const values = { header: draft.headerExamples, body: draft.bodyExamples, buttons: suffixesOf(draft) }
    const parts = readTemplate(componentsOf(draft))
    return <TemplatePreview parts={parts.body === '' ? { ...parts, body: t('create.body_placeholder') } : parts} values={values} />
  }
  const { warns, minutes, button } = draft.code
  return (
    <TemplatePreview
      parts={{
        header: null,
        body: [t('create.code.body'), warns ? t('create.code.warning') : ''].filter(Boolean).join(' '),
        footer: minutes === '' ? null : t('create.code.expires', { minutes }),
        buttons: [{ type: 'OTP', text: button || t('create.code.copy'), url: null }],
        cards: [],
      }}
      values={{ body: { '1': '482913' } }}
    />
  )
}

/** What stands for the variable at the end of an address, from its example in full. */
function suffixesOf({ buttons }: Draft): Record<number, string> {
  return Object.fromEntries(
    buttons.flatMap(({ value, example }, i) => {
      const start = value.replace(/\{\{\s*1\s*\}\}$/, '')
      return start !== value && example.startsWith(start) && example !== start ? [[i, example.slice(start.length)]] : []
    }),
  )
}
