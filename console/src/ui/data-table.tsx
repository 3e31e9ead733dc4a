import { Box, Button, Center, Group, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
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
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  idOf: (row: Row) => string
  /** Shown when there are no rows. */
  empty: ReactNode
  /** What opening a row does; the first cell then is a button for the keyboard. */
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

function Rows<Row>({ label, columns, rows, idOf, onOpen }: Props<Row>) {
  return (
    <Table.ScrollContainer
      minWidth={600}
      scrollAreaProps={{ offsetScrollbars: false, viewportProps: { tabIndex: 0, 'aria-label': label } }}
    >
      <Table highlightOnHover={onOpen !== undefined} aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.name} ta={column.isNumber ? 'right' : 'left'}>
                {column.head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={idOf(row)} onClick={onOpen && (() => onOpen(row))} style={onOpen && { cursor: 'pointer' }}>
              {columns.map((column, i) => (
                <Table.Td key={column.name} ta={column.isNumber ? 'right' : 'left'}>
                  {i === 0 && onOpen ? <OpenButton onOpen={() => onOpen(row)}>{column.cell(row)}</OpenButton> : column.cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** The row opens by mouse anywhere, by keyboard here. */
function OpenButton({ onOpen, children }: { onOpen: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={(event) => {
        event.stopPropagation()
        onOpen()
      }}
      className="open-row"
    >
      {children}
    </button>
  )
}

function Cards<Row>({ label, columns, rows, idOf, onOpen }: Props<Row>) {
  const title = columns.find((column) => column.isTitle) ?? columns[0]
  return (
    <Stack gap={0} component="ul" aria-label={label} style={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {rows.map((row) => (
        <Box component="li" key={idOf(row)} p="md" style={{ borderBottom: '1px solid var(--line)' }}>
          <Box fw={600} mb={4}>
            {onOpen && title ? <OpenButton onOpen={() => onOpen(row)}>{title.cell(row)}</OpenButton> : title?.cell(row)}
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
