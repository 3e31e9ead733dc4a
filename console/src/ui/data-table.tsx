import { Box, Button, Center, Group, Stack, Table, Text } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorNote, Loading } from './states.tsx'
import { useIsNarrow } from './use-is-narrow.ts'

export type Column<Row> = {
  name: string
  head: string
  cell: (row: Row) => ReactNode
  /** Numbers stand on the right. */
  isNumber?: boolean
  /** On a phone: the first line of the row's card. */
  isTitle?: boolean
  /** On a phone: left out. */
  isWideOnly?: boolean
  /** Only where there is much room: it is said on the row's own page too. */
  isRoomyOnly?: boolean
}

/** Where a row leads. */
export type RowLink = Pick<LinkProps, 'to' | 'params' | 'search'>

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** Shown when there are no rows. */
  empty: ReactNode
  /** The page of a row: the whole row is a link to it, which opens in another tab and can be copied. */
  linkOf?: (row: Row) => RowLink
  /** What opening a row does where it has no page of its own; the first cell then is a button for the keyboard. */
  onOpen?: (row: Row) => void
  read?: {
    isPending: boolean
    error: unknown
    refetch: () => unknown
    hasNextPage?: boolean
    isFetchingNextPage?: boolean
    fetchNextPage?: () => unknown
  }
}

/** Rows as a table, on a phone as cards; with the states of what it reads, and a button for more. */
export function DataTable<Row>(props: Props<Row>) {
  const isNarrow = useIsNarrow()
  const { t } = useTranslation('app')
  const { rows, empty, read } = props
  if (read?.error)
    return (
      <Box p="md">
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </Box>
    )
  if (read?.isPending) return <Loading />
  if (rows.length === 0) return <>{empty}</>
  return (
    <>
      {isNarrow ? <Cards {...props} /> : <Rows {...props} />}
      {read?.hasNextPage ? (
        <Center p="md">
          <Button variant="default" loading={read.isFetchingNextPage ?? false} onClick={() => void read.fetchNextPage?.()}>
            {t('load_more')}
          </Button>
        </Center>
      ) : null}
    </>
  )
}

const roomOf = ({ isRoomyOnly }: { isRoomyOnly?: boolean }) => (isRoomyOnly === true ? { visibleFrom: 'lg' } : {})

function Rows<Row>({ label, columns, rows, idOf, linkOf, onOpen }: Props<Row>) {
  const isOpened = linkOf !== undefined || onOpen !== undefined
  return (
    <Table.ScrollContainer
      minWidth={600}
      scrollAreaProps={{ offsetScrollbars: false, viewportProps: { tabIndex: 0, 'aria-label': label } }}
    >
      <Table highlightOnHover={isOpened} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.name} ta={column.isNumber ? 'right' : 'left'} {...roomOf(column)}>
                {column.head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={idOf(row)} {...(isOpened ? opened : {})}>
              {columns.map((column, i) => (
                <Table.Td key={column.name} ta={column.isNumber ? 'right' : 'left'} {...roomOf(column)}>
                  {i === 0 ? <Opener row={row} linkOf={linkOf} onOpen={onOpen} column={column} /> : column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** What stands above the opener of its row, as it has a hint, opens it all the same. */
function followOpener(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget, button, ctrlKey, metaKey } = event
  if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('a, button, input') !== null || button > 1) return
  const opener = currentTarget.querySelector<HTMLElement>('.open-row')
  if (opener instanceof HTMLAnchorElement && (button === 1 || ctrlKey || metaKey)) window.open(opener.href, '_blank', 'noopener')
  else if (button === 0) opener?.click()
}

const opened = { className: 'opened-row', onClick: followOpener, onAuxClick: followOpener }

type OpenerProps<Row> = {
  row: Row
  column: Column<Row>
  linkOf: ((row: Row) => RowLink) | undefined
  onOpen: ((row: Row) => void) | undefined
}

/** What opens a row. It lies over the whole of it, below the row's own buttons. */
function Opener<Row>({ row, column, linkOf, onOpen }: OpenerProps<Row>) {
  if (linkOf !== undefined)
    return (
      <Link {...linkOf(row)} className="open-row">
        {column.cell(row)}
      </Link>
    )
  if (onOpen === undefined) return column.cell(row)
  return (
    <button type="button" onClick={() => onOpen(row)} className="open-row">
      {column.cell(row)}
    </button>
  )
}

function Cards<Row>({ label, columns, rows, idOf, linkOf, onOpen }: Props<Row>) {
  const isOpened = linkOf !== undefined || onOpen !== undefined
  const title = columns.find((column) => column.isTitle) ?? columns[0]
  return (
    <Stack gap={0} component="ul" aria-label={label} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {rows.map((row) => (
        <Box component="li" key={idOf(row)} p="md" {...(isOpened ? opened : {})} style={{ borderBottom: '1px solid var(--line)' }}>
          <Box fw={600} mb={4}>
            {title === undefined ? null : <Opener row={row} linkOf={linkOf} onOpen={onOpen} column={title} />}
          </Box>
          {columns
            .filter((column) => column !== title && column.isWideOnly !== true)
            .map((column) => (
              <Group key={column.name} justify="space-between" gap="xs" wrap="nowrap" mt={2}>
                <Text size="sm" c="var(--muted)">
                  {column.head}
                </Text>
                <Box fz="sm" ta="right" style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                  {column.cell(row)}
                </Box>
              </Group>
            ))}
        </Box>
      ))}
    </Stack>
  )
}
