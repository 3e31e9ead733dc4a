import { Badge, Box, Group, Select, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Template } from '../../../api/generated/operations.ts'
import { useTemplates } from '../../../api/templates.ts'
import { Empty, ErrorNote, Loading } from '../../../ui/states.tsx'
import { readTemplate } from '../../../ui/template-parts.ts'
import type { FilledTemplate } from './send-of-template.ts'
import { isSupported } from './template-fields.ts'
import { TemplateForm } from './template-form.tsx'

type Props = { channelId: string; isBusy?: boolean; onSend: (filled: FilledTemplate) => void }

/** The approved templates of a number: one is chosen, filled in, and sent. */
export function TemplatePicker({ channelId, isBusy = false, onSend }: Props) {
  const [chosen, setChosen] = useState<Template | null>(null)
  return chosen === null ? (
    <TemplateList channelId={channelId} onChoose={setChosen} />
  ) : (
    <TemplateForm template={chosen} isBusy={isBusy} onBack={() => setChosen(null)} onSend={onSend} />
  )
}

function TemplateList({ channelId, onChoose }: { channelId: string; onChoose: (template: Template) => void }) {
  const { t } = useTranslation('composer')
  const read = useTemplates(channelId)
  const approved = useMemo(() => (read.data ?? []).filter((each) => each.status === 'APPROVED'), [read.data])
  const [search, setSearch] = useState('')
  const [language, setLanguage] = useState<string | null>(null)
  const languages = useMemo(() => [...new Set(approved.flatMap((each) => each.language ?? []))].toSorted(), [approved])
  const shown = useMemo(() => fitting(approved, search, language), [approved, search, language])
  if (read.error) return <ErrorNote error={read.error} retry={() => void read.refetch()} />
  if (read.isPending) return <Loading lines={4} />
  if (approved.length === 0) return <Empty title={t('template.none')}>{t('template.none_text')}</Empty>
  return (
    <Stack>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          data-autofocus
          style={{ flex: 1 }}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t('template.search')}
          aria-label={t('template.search')}
          leftSection={<IconSearch size={16} />}
        />
        {languages.length < 2 ? null : (
          <Select
            w={130}
            data={languages}
            value={language}
            onChange={setLanguage}
            placeholder={t('template.languages')}
            aria-label={t('template.language')}
            clearable
          />
        )}
      </Group>
      <Text size="xs" c="var(--muted)" aria-live="polite">
        {t('template.found', { count: shown.length })}
      </Text>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {shown.map((template) => (
          <li key={`${template.name} ${template.language}`}>
            <TemplateRow template={template} onChoose={() => onChoose(template)} />
          </li>
        ))}
      </Stack>
    </Stack>
  )
}

function TemplateRow({ template, onChoose }: { template: Template; onChoose: () => void }) {
  const { t } = useTranslation('composer')
  const supported = isSupported(template)
  return (
    <UnstyledButton
      onClick={onChoose}
      disabled={!supported}
      w="100%"
      p="sm"
      style={{ border: '1px solid var(--line)', borderRadius: 8, cursor: supported ? 'pointer' : 'not-allowed' }}
    >
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={600} truncate>
          {template.name}
        </Text>
        <Group gap={6} wrap="nowrap">
          <Badge variant="default" tt="none">
            {template.language}
          </Badge>
          {template.category === null ? null : (
            <Badge variant="default" tt="none">
              {categoryWords(template.category)}
            </Badge>
          )}
        </Group>
      </Group>
      <Box>
        <Text size="sm" c="var(--muted)" lineClamp={2}>
          {readTemplate(template.components).body}
        </Text>
        {supported ? null : (
          <Text size="xs" fw={600} c="var(--muted)">
            {t('template.not_here')}
          </Text>
        )}
      </Box>
    </UnstyledButton>
  )

  function categoryWords(category: string): string {
    if (category === 'MARKETING') return t('template.category.marketing')
    if (category === 'UTILITY') return t('template.category.utility')
    return category === 'AUTHENTICATION' ? t('template.category.authentication') : category
  }
}

/** Those whose name or words have each word of the search, in this language. */
function fitting(templates: readonly Template[], search: string, language: string | null): Template[] {
  const wanted = plain(search).split(/\s+/)
  return templates
    .filter((each) => language === null || each.language === language)
    .filter((each) => {
      const words = plain(`${each.name ?? ''} ${readTemplate(each.components).body}`)
      return wanted.every((word) => words.includes(word))
    })
    .toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? '') || (one.language ?? '').localeCompare(other.language ?? ''))
}

const plain = (text: string) => text.trim().toLowerCase().replaceAll('_', ' ').normalize('NFD').replaceAll(/\p{M}/gu, '')
