import { Button, Group, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconFilter, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { QuickOpen } from './quick-open.tsx'
import { dayBefore, type MessageSearch, readMessageSearch, sources, statuses } from './search.ts'

type Props = {
  search: MessageSearch
  onChange: (search: MessageSearch) => void
  /** What the gateway says of single filters, by its names for them. */
  problems: Readonly<Record<string, ReactNode>>
}

/** Which messages are shown. Each change goes to the address, so that it can be shared and gone back to. */
export function MessageFilters({ search, onChange, problems }: Props) {
  const { t } = useTranslation('messages')
  const set = (field: keyof MessageSearch, value: string) => onChange(readMessageSearch({ ...search, [field]: value }))
  const filters = Object.keys(search).length
  const isAfter = search.from !== undefined && search.to !== undefined && search.from > search.to
  // On a phone they would push the messages off the screen.
  const isNarrow = useIsNarrow()
  const [isOpen, setOpen] = useState(false)
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-start">
        <QuickOpen />
        <Group gap="xs">
          {isNarrow ? (
            <Button
              variant="default"
              size="sm"
              leftSection={<IconFilter size={16} />}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              {t('filter.open', { count: filters })}
            </Button>
          ) : null}
          {[0, 6].map((days) => (
            <Button
              key={days}
              variant="default"
              size="sm"
              onClick={() => onChange({ ...search, from: dayBefore(days), to: dayBefore(0) })}
              aria-pressed={search.from === dayBefore(days) && search.to === dayBefore(0)}
            >
              {days === 0 ? t('filter.today') : t('filter.week')}
            </Button>
          ))}
          {filters > 0 ? (
            <Button variant="subtle" size="sm" leftSection={<IconX size={14} />} onClick={() => onChange({})}>
              {t('filter.clear')}
            </Button>
          ) : null}
        </Group>
      </Group>
      {isNarrow && !isOpen ? null : (
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 7 }} spacing="sm" verticalSpacing="sm">
          <NativeSelect
            label={t('filter.direction')}
            value={search.direction ?? ''}
            onChange={(event) => set('direction', event.currentTarget.value)}
            data={[
              { value: '', label: t('filter.any') },
              { value: 'outbound', label: t('direction.outbound') },
              { value: 'inbound', label: t('direction.inbound') },
            ]}
          />
          <NativeSelect
            label={t('filter.status')}
            value={search.status ?? ''}
            onChange={(event) => set('status', event.currentTarget.value)}
            data={[{ value: '', label: t('filter.any') }, ...statuses.map((value) => ({ value, label: t(`status.${value}`) }))]}
          />
          <NativeSelect
            label={t('filter.source')}
            value={search.source ?? ''}
            onChange={(event) => set('source', event.currentTarget.value)}
            data={[{ value: '', label: t('filter.any') }, ...sources.map((value) => ({ value, label: t(`source.${value}`) }))]}
          />
          <TypedFilter
            label={t('filter.phone')}
            value={search.phone ?? ''}
            onChange={(value) => set('phone', value)}
            error={problems.phone}
            charsMax={40}
          />
          <TypedFilter
            label={t('filter.reference')}
            value={search.reference ?? ''}
            onChange={(value) => set('reference', value)}
            error={problems.client_reference}
            charsMax={512}
          />
          <TextInput
            type="date"
            label={t('filter.from')}
            value={search.from ?? ''}
            max={search.to}
            error={isAfter ? t('filter.after') : null}
            onChange={(event) => set('from', event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('filter.to')}
            value={search.to ?? ''}
            min={search.from}
            onChange={(event) => set('to', event.currentTarget.value)}
          />
        </SimpleGrid>
      )}
    </Stack>
  )
}

const typingMs = 400

type TypedProps = { label: string; value: string; onChange: (value: string) => void; error: ReactNode; charsMax: number }

/** A filter that is typed: it counts once the typing rests. */
function TypedFilter({ label, value, onChange, error, charsMax }: TypedProps) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = useDebouncedCallback((next: string) => {
    told.current = next
    onChange(next)
  }, typingMs)
  // The address may change by other ways: back, a link, "clear".
  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])
  return (
    <TextInput
      label={label}
      value={text}
      maxLength={charsMax}
      error={error}
      spellCheck={false}
      onChange={(event) => {
        setText(event.currentTarget.value)
        tell(event.currentTarget.value.trim())
      }}
    />
  )
}
