import { Button, Center, Loader } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Components, type ItemProps, type ListProps, Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import type { Conversation } from '../../../api/generated/operations.ts'
import { Empty, ErrorNote, Loading } from '../../../ui/states.tsx'
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

/** The conversations, those with the newest messages first. */
export function ConversationList({ items, read, view, isFiltered, openId, marked, onClear }: Props) {
  const { t } = useTranslation('inbox')
  const list = useRef<VirtuosoHandle>(null)
  useEffect(() => {
    if (marked < 0) return
    const focus = () => document.querySelector<HTMLElement>(`[data-item-index="${marked}"] a[data-row]`)?.focus({ preventScroll: true })
    list.current?.scrollIntoView({ index: marked, behavior: 'auto', done: focus })
  }, [marked])
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
    <Virtuoso<Conversation>
      ref={list}
      data={items as Conversation[]}
      computeItemKey={(_index, each) => each.id}
      endReached={() => {
        if (read.hasNextPage && !read.isFetchingNextPage) void read.fetchNextPage()
      }}
      increaseViewportBy={400}
      itemContent={(index, each) => <ConversationRow conversation={each} isOpen={each.id === openId} isMarked={index === marked} />}
      components={read.isFetchingNextPage ? fetchingComponents : components}
      style={{ flex: 1 }}
    />
  )
}

function Fetching() {
  return (
    <Center py="xs">
      <Loader size="sm" />
    </Center>
  )
}

/** A list for whoever hears it, too. */
const components: Components<Conversation> = {
  List: ({ ref, style, children }: ListProps) => (
    // biome-ignore lint/a11y/useSemanticElements: the list measures a div
    <div role="list" ref={ref} style={style}>
      {children}
    </div>
  ),
  Item: ({ item: _item, context: _context, ...props }: ItemProps<Conversation> & { context?: unknown }) => (
    // biome-ignore lint/a11y/useSemanticElements: as above
    <div role="listitem" {...props} />
  ),
}
const fetchingComponents: Components<Conversation> = { ...components, Footer: Fetching }
