import { Badge, Button, Code, Group, Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyIcon } from '../../ui/code-sample.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Standing } from '../../ui/standing.tsx'
import { Empty } from '../../ui/states.tsx'
import { Moment } from '../../ui/time.tsx'
import type { LoggedCall } from './logged-call.ts'

type Props = {
  read: {
    items: readonly LoggedCall[]
    isPending: boolean
    error: unknown
    refetch: () => unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  /** What the team calls its keys, by their ids. */
  names: ReadonlyMap<string, string>
  isFiltered: boolean
}

/** The calls as rows. */
export function Calls({ read, names, isFiltered }: Props) {
  const { t } = useTranslation('request-log')
  const columns: Column<LoggedCall>[] = [
    { name: 'route', head: t('column.route'), cell: (call) => <Route call={call} />, isTitle: true },
    { name: 'status', head: t('column.status'), cell: (call) => <Status code={call.status_code} /> },
    { name: 'ms', head: t('column.ms'), cell: (call) => `${call.ms} ms`, isNumber: true },
    { name: 'key', head: t('column.key'), cell: (call) => <Key call={call} name={names.get(call.key_id)} /> },
    { name: 'when', head: t('column.when'), cell: (call) => <Moment at={call.created_at} precise /> },
    { name: 'id', head: t('column.id'), cell: (call) => <RequestId id={call.id} /> },
  ]
  return (
    <DataTable
      label={t('title')}
      columns={columns}
      rows={read.items}
      idOf={(call) => call.id}
      read={read}
      empty={<None read={read} isFiltered={isFiltered} />}
    />
  )
}

/** A page looks through so many calls at most: there may be more that fit further back. */
function None({ read, isFiltered }: Pick<Props, 'read' | 'isFiltered'>) {
  const { t } = useTranslation('request-log')
  const action = read.hasNextPage ? (
    <Button variant="default" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
      {t('empty.look_further')}
    </Button>
  ) : null
  return (
    <Empty icon={<IconListDetails size={32} aria-hidden />} title={isFiltered ? t('empty.none_fits') : t('empty.title')} action={action}>
      {isFiltered ? undefined : t('empty.text')}
    </Empty>
  )
}

function Route({ call }: { call: LoggedCall }) {
  const { t } = useTranslation('request-log')
  return (
    <Group gap={8} wrap="nowrap">
      <Text span size="xs" fw={700} c="var(--muted)" w={48}>
        {call.method}
      </Text>
      <Code bg="transparent" p={0} fz="sm">
        {call.route === 'unmatched' ? t('unmatched') : call.route}
      </Code>
    </Group>
  )
}

function Status({ code }: { code: number }) {
  return <Standing tone={code < 400 ? 'good' : code < 500 ? 'warning' : 'bad'}>{code}</Standing>
}

function Key({ call, name }: { call: LoggedCall; name: string | undefined }) {
  const { t } = useTranslation('request-log')
  return (
    <Group gap="xs" wrap="nowrap">
      <span>{name ?? t('unnamed')}</span>
      {call.livemode ? null : (
        <Badge variant="outline" color="gray" style={{ color: 'var(--muted)' }}>
          {t('test')}
        </Badge>
      )}
    </Group>
  )
}

function RequestId({ id }: { id: string }) {
  const { t } = useTranslation('request-log')
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      <Code bg="transparent" p={0} title={id}>
        …{id.slice(-8)}
      </Code>
      <CopyIcon value={id} label={t('column.id')} />
    </Group>
  )
}
