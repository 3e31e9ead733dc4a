import { Button, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { IconFileText, IconPlus, IconSearch } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import type { Template } from '../../api/generated/operations.ts'
import { useTemplates } from '../../api/templates.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { readTemplate } from '../../ui/template-parts.ts'
import { readTemplateSearch, type TemplateSearch } from './search.ts'
import { categories, qualities, statuses, TemplateQuality, TemplateStatus, useTemplateWords } from './template-words.tsx'
import { useWabas } from './wabas.ts'

/** The templates of a WhatsApp Business Account, with what the platform says of each. */
export function TemplatesPage() {
  const { t } = useTranslation('templates')
  const { id: accountId, can, mode } = useAccount()
  const search = useSearch({ from: '/a/$accountId/settings/templates' })
  const wabas = useWabas()
  const channel = search.channel ?? (wabas.length > 1 ? wabas[0]?.channelId : undefined)
  const read = useTemplates(channel)
  const shown = (read.data ?? []).filter((each) => isWanted(each, search))
  const isFiltered = Object.keys(search).some((field) => field !== 'channel')
  const place = channel === undefined ? {} : { channel }
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        can('templates:write') && mode === 'live' ? (
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link {...props} to="/a/$accountId/settings/templates/new" params={{ accountId }} search={place} />}
          >
            {t('new')}
          </Button>
        ) : undefined
      }
    >
      <Filters templates={read.data ?? []} channel={channel} />
      <Panel padding={0}>
        <DataTable
          label={t('title')}
          columns={useColumns()}
          rows={shown}
          idOf={(each) => `${each.name} ${each.language}`}
          read={read}
          linkOf={({ name, language }) => ({
            to: '/a/$accountId/settings/templates/$name',
            params: { accountId, name: name ?? '' },
            search: { ...place, ...(language === null ? {} : { language }) },
          })}
          empty={
            <Empty icon={<IconFileText size={32} />} title={isFiltered ? t('none_found') : t('none.title')}>
              {isFiltered ? undefined : t('none.text')}
            </Empty>
          }
        />
      </Panel>
    </Page>
  )
}

function isWanted(template: Template, { q, status, category, quality, language }: TemplateSearch): boolean {
  const text = `${template.name} ${readTemplate(template.components).body}`.toLowerCase()
  return (
    (q === undefined || text.includes(q.toLowerCase())) &&
    (status === undefined || template.status === status) &&
    (category === undefined || template.category === category) &&
    (quality === undefined || template.quality === quality) &&
    (language === undefined || template.language === language)
  )
}

function useColumns(): readonly Column<Template>[] {
  const { t } = useTranslation('templates')
  const words = useTemplateWords()
  return [
    {
      name: 'name',
      head: t('field.name'),
      isTitle: true,
      cell: ({ name, components }) => (
        <>
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="xs" c="var(--muted)" lineClamp={1} maw={420}>
            {readTemplate(components).body}
          </Text>
        </>
      ),
    },
    { name: 'status', head: t('field.status'), cell: ({ status }) => <TemplateStatus status={status} /> },
    { name: 'category', head: t('field.category'), cell: ({ category }) => words.category(category) },
    { name: 'language', head: t('field.language'), cell: ({ language }) => language ?? '–' },
    { name: 'quality', head: t('field.quality'), cell: ({ quality }) => <TemplateQuality quality={quality} /> },
  ]
}

function Filters({ templates, channel }: { templates: readonly Template[]; channel: string | undefined }) {
  const { t } = useTranslation('templates')
  const { id: accountId } = useAccount()
  const navigate = useNavigate()
  const search = useSearch({ from: '/a/$accountId/settings/templates' })
  const words = useTemplateWords()
  const wabas = useWabas()
  const set = (field: keyof TemplateSearch, value: string) =>
    void navigate({
      to: '/a/$accountId/settings/templates',
      params: { accountId },
      search: readTemplateSearch({ ...search, [field]: value }),
      replace: true,
    })
  const languages = [...new Set(templates.flatMap(({ language }) => (language === null ? [] : [language])))].toSorted()
  const any = { value: '', label: t('any') }
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: wabas.length > 1 ? 6 : 5 }} spacing="sm">
      <TextInput
        label={t('search')}
        leftSection={<IconSearch size={16} />}
        value={search.q ?? ''}
        maxLength={100}
        onChange={(event) => set('q', event.currentTarget.value)}
      />
      <NativeSelect
        label={t('field.status')}
        value={search.status ?? ''}
        data={[any, ...statuses.map((value) => ({ value, label: words.status(value) }))]}
        onChange={(event) => set('status', event.currentTarget.value)}
      />
      <NativeSelect
        label={t('field.category')}
        value={search.category ?? ''}
        data={[any, ...categories.map((value) => ({ value, label: words.category(value) }))]}
        onChange={(event) => set('category', event.currentTarget.value)}
      />
      <NativeSelect
        label={t('field.quality')}
        value={search.quality ?? ''}
        data={[any, ...qualities.map((value) => ({ value, label: words.quality(value) }))]}
        onChange={(event) => set('quality', event.currentTarget.value)}
      />
      <NativeSelect
        label={t('field.language')}
        value={search.language ?? ''}
        data={[any, ...languages.map((value) => ({ value, label: value }))]}
        onChange={(event) => set('language', event.currentTarget.value)}
      />
      {wabas.length > 1 ? (
        <NativeSelect
          label={t('waba')}
          value={channel}
          data={wabas.map(({ channelId: value, label }) => ({ value, label }))}
          onChange={(event) => set('channel', event.currentTarget.value)}
        />
      ) : null}
    </SimpleGrid>
  )
}
