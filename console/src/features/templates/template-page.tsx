import { Alert, Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconTrash } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import type { Template } from '../../api/generated/operations.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { CodeSample } from '../../ui/code-sample.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ErrorNote, Loading } from '../../ui/states.tsx'
import { readTemplate } from '../../ui/template-parts.ts'
import { TemplatePreview } from '../../ui/template-preview.tsx'
import { DeleteTemplate } from './delete-template.tsx'
import { examplesOf } from './examples.ts'
import { TemplateQuality, TemplateStatus, useTemplateWords } from './template-words.tsx'

const pendingMs = 5_000

/** One template in its languages: what the platform says of it, how it looks, and its end. */
export function TemplatePage() {
  const { t } = useTranslation('templates')
  const { id: accountId, can, mode } = useAccount()
  const { name } = useParams({ from: '/a/$accountId/settings/templates/$name' })
  const search = useSearch({ from: '/a/$accountId/settings/templates/$name' })
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const query = search.channel === undefined ? {} : { channel_id: search.channel }
  const read = useRead(
    'GET /account/templates/{name}',
    { path: { name }, query },
    { refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === 'PENDING') ? pendingMs : false) },
  )
  const languages = read.data?.data ?? []
  const shown = languages.find(({ language }) => language === search.language) ?? languages[0]
  return (
    <Page
      title={name}
      back={<BackLink to="/a/$accountId/settings/templates">{t('title')}</BackLink>}
      actions={
        can('templates:write') && mode === 'live' && shown !== undefined ? (
          <Button variant="default" c="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={() => setDeleting(true)}>
            {t('delete.open')}
          </Button>
        ) : undefined
      }
    >
      {read.error ? <ErrorNote error={read.error} retry={() => void read.refetch()} /> : null}
      {read.isPending ? <Loading lines={8} /> : null}
      {shown === undefined ? null : (
        <Stack gap="lg">
          {languages.length > 1 ? (
            <SegmentedControl
              aria-label={t('field.language')}
              data={languages.map(({ language }) => language ?? '')}
              value={shown.language ?? ''}
              onChange={(language) =>
                void navigate({
                  to: '/a/$accountId/settings/templates/$name',
                  params: { accountId, name },
                  search: { ...search, language },
                  replace: true,
                })
              }
              style={{ alignSelf: 'flex-start' }}
            />
          ) : null}
          <Verdict template={shown} />
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
            <Panel title={t('details')}>
              <Details template={shown} />
            </Panel>
            <Panel title={t('preview')}>
              <TemplatePreview parts={readTemplate(shown.components)} values={examplesOf(shown.components)} />
            </Panel>
          </SimpleGrid>
          <Panel title={t('json')}>
            <CodeSample code={JSON.stringify(shown, null, 2)} label={t('json')} />
          </Panel>
          <DeleteTemplate
            opened={isDeleting}
            onClose={() => setDeleting(false)}
            template={shown}
            languages={languages.length}
            channel={search.channel}
          />
        </Stack>
      )}
    </Page>
  )
}

/** What the status means for who wants to send it. */
function Verdict({ template: { status, rejected_reason: reason } }: { template: Template }) {
  const { t } = useTranslation('templates')
  if (status === 'PENDING')
    return (
      <Alert color="yellow" icon={<IconClock size={18} />} title={t('verdict.PENDING.title')}>
        {t('verdict.PENDING.text')}
      </Alert>
    )
  if (status !== 'REJECTED' && status !== 'PAUSED' && status !== 'DISABLED') return null
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t(`verdict.${status}.title`)}>
      <Text size="sm">{status === 'REJECTED' ? <Reason reason={reason} /> : t(`verdict.${status}.text`)}</Text>
    </Alert>
  )
}

const reasons = ['INVALID_FORMAT', 'ABUSIVE_CONTENT', 'PROMOTIONAL', 'SCAM', 'TAG_CONTENT_MISMATCH', 'INCORRECT_CATEGORY'] as const

function Reason({ reason }: { reason: string | null }) {
  const { t } = useTranslation('templates')
  const known = reasons.find((each) => each === reason)
  return (
    <>
      {known === undefined ? t('verdict.REJECTED.text') : t(`reason.${known}`)}
      {reason === null ? null : ` (${reason})`}
    </>
  )
}

function Details({ template }: { template: Template }) {
  const { t } = useTranslation('templates')
  const words = useTemplateWords()
  return (
    <Facts
      facts={[
        {
          name: 'status',
          label: t('field.status'),
          value: (
            <Group aria-live="polite">
              <TemplateStatus status={template.status} />
            </Group>
          ),
        },
        { name: 'category', label: t('field.category'), value: words.category(template.category) },
        { name: 'language', label: t('field.language'), value: template.language ?? '–' },
        { name: 'quality', label: t('field.quality'), value: <TemplateQuality quality={template.quality} /> },
        ...(template.sub_category === null ? [] : [{ name: 'sub_category', label: t('field.sub_category'), value: template.sub_category }]),
        ...(template.id === null ? [] : [{ name: 'id', label: t('field.id'), value: template.id }]),
      ]}
    />
  )
}
