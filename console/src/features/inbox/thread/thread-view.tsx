import { Button, Center, Loader } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtuoso, type VirtuosoHandle } from 'react-virtuoso'
import { useRead } from '../../../api/account.ts'
import type { Conversation, Note, TeamMessage } from '../../../api/generated/operations.ts'
import { Empty, ErrorNote, Loading } from '../../../ui/states.tsx'
import classes from '../inbox.module.css'
import { useTakeOver } from '../pending.ts'
import { DayLine } from './day-line.tsx'
import { MessageRow } from './message-row.tsx'
import { NoteRow } from './note-row.tsx'
import { type Row, rowsOf } from './rows.ts'
import { ThreadContext } from './thread-context.ts'
import { useOwnWords } from './use-own-words.ts'
import { nearEndPx, usePinnedEnd } from './use-pinned-end.ts'
import { useThread } from './use-thread.ts'

type Props = {
  conversation: Conversation
  /** A message to show first. */
  around: string | null
  onReply: (message: TeamMessage) => void
}

/** Room for a million messages above the first that was shown. */
const startIndex = 1_000_000
const foundMs = 2_500
const noNotes: readonly Note[] = []

/** The messages of a conversation with its notes, newest at the bottom. */
export function ThreadView({ conversation, around, onReply }: Props) {
  const { t } = useTranslation('inbox')
  const list = useRef<VirtuosoHandle>(null)
  const end = usePinnedEnd()
  const topmost = useRef<string | null>(null)
  const isEnd = useRef(true)
  const { thread, messages, hasOlder, hasNewer, loading, error, missed, stretch, center } = useThread(
    conversation,
    around,
    useCallback(() => (isEnd.current ? null : topmost.current), []),
  )
  const readNotes = useRead('GET /account/conversations/{id}/notes', { path: { id: conversation.id } }).data?.data
  const notes = readNotes ?? noNotes
  const rows = useMemo(() => rowsOf(messages, notes, hasOlder), [messages, notes, hasOlder])
  useTakeOver(messages)
  const [isAtEnd, setAtEnd] = useState(true)
  const [unseen, setUnseen] = useState(0)
  const [found, setFound] = useState<string | null>(around)

  // The first line that this stretch was shown with keeps its number, whatever is put before it.
  const anchor = useRef<{ stretch: number; key: string } | null>(null)
  if (anchor.current?.stretch !== stretch) anchor.current = rows[0] === undefined ? null : { stretch, key: rows[0].key }
  const before = anchor.current === null ? 0 : rows.findIndex((row) => row.key === anchor.current?.key)
  const firstItemIndex = startIndex - Math.max(0, before)

  const positions = useRef(new Map<string, number>())
  useMemo(() => {
    positions.current = new Map(rows.map((row, i) => [row.key, i]))
  }, [rows])

  const jump = useCallback(
    (id: string) => {
      setFound(id)
      const position = positions.current.get(id)
      if (position === undefined) void thread.open(id)
      else list.current?.scrollToIndex({ index: position, align: 'center', behavior: 'auto' })
    },
    [thread],
  )
  useEffect(() => {
    if (around === null) return
    setFound(around)
    const position = positions.current.get(around)
    if (position !== undefined) list.current?.scrollToIndex({ index: position, align: 'center', behavior: 'auto' })
  }, [around])
  const isFoundShown = found !== null && positions.current.has(found)
  useEffect(() => {
    if (!isFoundShown) return
    const timer = setTimeout(() => setFound(null), foundMs)
    return () => clearTimeout(timer)
  }, [isFoundShown])

  // What comes while one reads further up is counted.
  const newest = useRef<string | null>(null)
  useEffect(() => {
    const last = messages.at(-1)?.id ?? null
    const known = newest.current
    if (known !== null && !isAtEnd) {
      const come = messages.filter((each) => each.id > known && each.direction === 'inbound').length
      if (come > 0 && !hasNewer) setUnseen((count) => count + come)
    }
    newest.current = last
  }, [messages, isAtEnd, hasNewer])

  const toEnd = () => {
    setUnseen(0)
    if (hasNewer) void thread.open(null)
    else {
      list.current?.scrollToIndex({ index: 'LAST', align: 'end', behavior: 'auto' })
      end.stick()
    }
  }
  useOwnWords(conversation.id, readNotes, toEnd)

  const tools = useMemo(
    () => ({
      conversation,
      jump,
      reply: onReply,
    }),
    [conversation, jump, onReply],
  )

  if (messages.length === 0 && error !== null)
    return (
      <div className={classes.thread}>
        <ErrorNote error={error} retry={() => void thread.open(around)} />
      </div>
    )
  if (loading === 'first' || (messages.length === 0 && stretch === 0))
    return (
      <div className={classes.thread}>
        <Loading lines={8} />
      </div>
    )
  if (rows.length === 0)
    return (
      <div className={classes.thread}>
        <Empty title={t('thread.empty')}>{t('thread.empty_text')}</Empty>
      </div>
    )
  const shownFirst = center === null ? undefined : positions.current.get(center.id)
  const waiting = unseen + missed
  return (
    <ThreadContext value={tools}>
      <div className={classes.thread} role="log" aria-label={t('thread.label')} aria-live="off">
        <Virtuoso<Row>
          key={`${conversation.id} ${stretch}`}
          ref={list}
          data={rows}
          firstItemIndex={firstItemIndex}
          initialTopMostItemIndex={
            shownFirst === undefined ? { index: 'LAST', align: 'end' } : { index: shownFirst, align: center?.align ?? 'center' }
          }
          computeItemKey={(_index, row) => row.key}
          alignToBottom
          followOutput={hasNewer ? false : 'auto'}
          scrollerRef={end.ref}
          atBottomThreshold={nearEndPx}
          atBottomStateChange={(atEnd) => {
            isEnd.current = atEnd && !hasNewer
            setAtEnd(atEnd)
            if (atEnd) setUnseen(0)
          }}
          startReached={() => void thread.loadOlder()}
          endReached={() => void thread.loadNewer()}
          rangeChanged={({ startIndex: first }) => {
            topmost.current = rows.slice(Math.max(0, first - firstItemIndex)).find((row) => row.kind === 'message')?.key ?? null
          }}
          increaseViewportBy={{ top: 800, bottom: 400 }}
          components={components}
          context={{ isLoadingOlder: loading === 'older', isLoadingNewer: loading === 'newer' }}
          itemContent={(_index, row) => (
            <>
              {row.day ? <DayLine at={row.at} /> : null}
              {row.kind === 'note' ? (
                <NoteRow note={row.note} />
              ) : (
                <MessageRow message={row.message} isFirst={row.isFirst} isLast={row.isLast} isFound={row.key === found} />
              )}
            </>
          )}
        />
        {isAtEnd && !hasNewer ? null : (
          <Button
            className={classes.toEnd}
            size="compact-md"
            fz="sm"
            radius="xl"
            variant={waiting > 0 ? 'filled' : 'default'}
            leftSection={<IconArrowDown size={16} />}
            onClick={toEnd}
          >
            {waiting > 0 ? t('thread.new_messages', { count: waiting }) : t('thread.to_end')}
          </Button>
        )}
        <span className={classes.spoken} aria-live="polite">
          {waiting > 0 ? t('thread.new_messages', { count: waiting }) : ''}
        </span>
      </div>
    </ThreadContext>
  )
}

type Context = { isLoadingOlder: boolean; isLoadingNewer: boolean }

const components = {
  Header: ({ context }: { context?: Context }) => <More isLoading={context?.isLoadingOlder ?? false} />,
  Footer: ({ context }: { context?: Context }) => <More isLoading={context?.isLoadingNewer ?? false} />,
}

/** Of one height, loading or not, so that nothing jumps. */
function More({ isLoading }: { isLoading: boolean }) {
  return <Center h={28}>{isLoading ? <Loader size={16} /> : null}</Center>
}
