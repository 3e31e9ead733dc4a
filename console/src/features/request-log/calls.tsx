import { Button, Code, Group } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyIcon } from '../../ui/code-sample.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Empty } from '../../ui/states.tsx'
import { Moment } from '../../ui/time.tsx'
import { CallDrawer } from './call-drawer.tsx'
import { CallStatus, KeyName, RouteName } from './call-words.tsx'
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

/** The calls as rows; each opens what is known of it. */
export function Calls({ read, names, isFiltered }: Props) {
  const { t } = useTranslation('request-log')
  const [opened, setOpened] = useState<LoggedCall | null>(null)
  const columns: Column<LoggedCall>[] = [
    { name: 'route', head: t('column.route'), cell: (call) => <RouteName call={call} />, isTitle: true },
    { name: 'status', head: t('column.status'), cell: (call) => <CallStatus code={call.status_code} /> },
    { name: 'ms', head: t('column.ms'), cell: (call) => `${call.ms} ms`, isNumber: true, isRoomyOnly: true },
    { name: 'key', head: t('column.key'), cell: (call) => <KeyName call={call} name={names.get(call.key_id)} /> },
    { name: 'when', head: t('column.when'), cell: (call) => <Moment at={call.created_at} /> },
    { name: 'id', head: t('column.id'), cell: (call) => <RequestId id={call.id} />, isRoomyOnly: true },
  ]
  return (
    <>
      <DataTable
        label={t('title')}
        columns={columns}
        rows={read.items}
        idOf={(call) => call.id}
        read={read}
        onOpen={setOpened}
        empty={<None read={read} isFiltered={isFiltered} />}
      />
      <CallDrawer call={opened} keyName={opened === null ? undefined : names.get(opened.key_id)} onClose={() => setOpened(null)} />
    </>
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
