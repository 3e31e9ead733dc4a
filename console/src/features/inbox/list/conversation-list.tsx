import { Button, Center, Loader } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { IconInbox } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '../../../api/generated/operations.ts'
import { Empty, ErrorNote, Loading } from '../../../ui/states.tsx'
import classes from '../inbox.module.css'
import type { View } from '../views.ts'
import { ConversationRow } from './conversation-row.tsx'

type Props = {
  items: readonly Conversation[]
  read: {
    isPending: boolean
    error: unknown
    refetch: () => unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
  }
  view: View
  isFiltered: boolean
  openId: string | null
  /** Where the keyboard is. */
  marked: number
  onClear: () => void
}

/** The conversations, those with the newest messages first. The browser draws only the rows that are seen. */
export function ConversationList({ items, read, view, isFiltered, openId, marked, onClear }: Props) {
  const { t } = useTranslation('inbox')
  const list = useRef<HTMLUListElement>(null)
  const { ref: end, entry } = useIntersection({ rootMargin: '400px' })
  const isAtEnd = entry?.isIntersecting === true
  useEffect(() => {
    const row = marked < 0 ? undefined : list.current?.children[marked]
    row?.scrollIntoView({ block: 'nearest' })
    row?.querySelector<HTMLElement>('a[data-row]')?.focus({ preventScroll: true })
  }, [marked])
  useEffect(() => {
    if (openId !== null) list.current?.querySelector('a[data-row][data-open]')?.scrollIntoView({ block: 'nearest' })
  }, [openId])
  useEffect(() => {
    if (isAtEnd && read.hasNextPage && !read.isFetchingNextPage) void read.fetchNextPage()
  }, [isAtEnd, read])
  if (read.error && items.length === 0) return <ErrorNote error={read.error} retry={() => void read.refetch()} />
  if (read.isPending) return <Loading lines={9} />
  if (items.length === 0)
    return (
      <Empty
        icon={<IconInbox size={32} stroke={1.5} />}
        title={isFiltered ? t('list.none_filtered') : t(`list.none.${view}`)}
        {...(isFiltered
          ? {
              action: (
                <Button variant="default" size="compact-md" fz="sm" onClick={onClear}>
                  {t('filter.clear')}
                </Button>
              ),
            }
          : {})}
      >
        {isFiltered ? undefined : t(`list.none_text.${view}`)}
      </Empty>
    )
  return (
    <div className={classes.listScroll}>
      <ul ref={list} className={classes.list}>
        {items.map((each, index) => (
          <li key={each.id}>
            <ConversationRow conversation={each} isOpen={each.id === openId} isMarked={index === marked} />
          </li>
        ))}
      </ul>
      <div ref={end} />
      {read.isFetchingNextPage ? (
        <Center py="xs">
          <Loader size="sm" />
        </Center>
      ) : null}
    </div>
  )
}
