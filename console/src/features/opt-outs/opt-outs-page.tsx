import { Button, TextInput } from '@mantine/core'
import { IconPlus, IconSearch, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MarketingOptOut } from '../../api/generated/operations.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { phoneWords } from '../../ui/phone.ts'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { AddOptOut } from './add-opt-out.tsx'
import { LiftOptOut } from './lift-opt-out.tsx'
import { useOptOuts } from './read-opt-outs.ts'

/** Whoever wants no marketing, where that came from, and its end. */
export function OptOutsPage() {
  const { t } = useTranslation('opt-outs')
  const [wanted, setWanted] = useState('')
  const [isAdding, setAdding] = useState(false)
  const [lifted, setLifted] = useState<MarketingOptOut | null>(null)
  const { read, items } = useOptOuts(wanted)
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('add.open')}
        </Button>
      }
    >
      <TextInput
        type="search"
        inputMode="tel"
        label={t('search')}
        description={t('search_help')}
        leftSection={<IconSearch size={16} />}
        value={wanted}
        maxLength={40}
        maw={380}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Panel padding={0}>
        <DataTable
          label={t('title')}
          columns={useColumns(setLifted)}
          rows={items}
          idOf={({ phone, user_id: userId }) => phone || (userId ?? '')}
          read={read}
          empty={
            <Empty icon={<IconUserOff size={32} />} title={wanted === '' ? t('none.title') : t('none_found.title')}>
              {wanted === '' ? t('none.text') : t('none_found.text')}
            </Empty>
          }
        />
      </Panel>
      <AddOptOut opened={isAdding} onClose={() => setAdding(false)} />
      <LiftOptOut optOut={lifted} onClose={() => setLifted(null)} />
    </Page>
  )
}

function useColumns(onLift: (optOut: MarketingOptOut) => void): readonly Column<MarketingOptOut>[] {
  const { t } = useTranslation('opt-outs')
  const nameOf = ({ phone, user_id: userId }: MarketingOptOut) => (phone === '' ? (userId ?? '') : phoneWords(phone))
  return [
    { name: 'person', head: t('column.person'), isTitle: true, cell: nameOf },
    {
      name: 'source',
      head: t('column.source'),
      cell: ({ source, by }) => (source === 'console' && by !== undefined ? t('source_by', { name: by }) : t(`source.${source}`)),
    },
    { name: 'at', head: t('column.at'), cell: ({ created_at: at }) => <Ago at={at} /> },
    {
      name: 'lift',
      head: t('column.actions'),
      isNumber: true,
      cell: (optOut) => (
        <Button variant="default" size="xs" onClick={() => onLift(optOut)} aria-label={t('lift.open_named', { person: nameOf(optOut) })}>
          {t('lift.open')}
        </Button>
      ),
    },
  ]
}
