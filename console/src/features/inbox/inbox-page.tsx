import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'
import { OnceOpened } from '../../ui/once-opened.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { keepFocusInComposer } from './composer/kept-focus.ts'
import classes from './inbox.module.css'
import { ListPanel } from './list/list-panel.tsx'
import { useConversations } from './list/use-conversations.ts'
import { ReconnectBar } from './reconnect-bar.tsx'
import { useChangeConversation } from './use-change-conversation.ts'
import { useInboxTitle } from './use-inbox-title.ts'
import { useKeys } from './use-keys.ts'
import { type InboxSearch, readInboxSearch } from './views.ts'

/** Loaded beside the list, not before it. */
const ThreadPanel = lazy(async () => ({ default: (await import('./thread/thread-panel.tsx')).ThreadPanel }))
const KeysHelp = lazy(async () => ({ default: (await import('./keys-help.tsx')).KeysHelp }))

/** The team's inbox: the conversations, the one that is open, and what is known of its person. */
export function InboxPage() {
  const { t } = useTranslation('inbox')
  const { id: accountId, can } = useAccount()
  const { conversationId } = useParams({ strict: false })
  const given = useSearch({ strict: false })
  const search = useMemo(() => readInboxSearch(given as Record<string, unknown>), [given])
  const navigate = useNavigate()
  const isPhone = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 1360px)', true, { getInitialValueInEffect: false })
  const [areDetailsOpen, details] = useDisclosure(false)
  const [isHelpOpen, help] = useDisclosure(false)
  const [marked, setMarked] = useState(-1)
  const searchBox = useRef<HTMLInputElement>(null)
  const conversations = useConversations(search)
  const { change } = useChangeConversation()
  const { items } = conversations
  useInboxTitle(conversationId)

  const { message, ...filters } = search
  const kept = useRef(filters)
  kept.current = filters
  const onOpen = useCallback(
    (id: string, at?: string) => {
      void navigate({
        to: '/a/$accountId/inbox/$conversationId',
        params: { accountId, conversationId: id },
        search: { ...kept.current, ...(at === undefined ? {} : { message: at }) },
      })
    },
    [navigate, accountId],
  )
  const onBack = () => void navigate({ to: '/a/$accountId/inbox', params: { accountId }, search: filters })
  const onSearch = (next: InboxSearch) => {
    setMarked(-1)
    if (conversationId === undefined) void navigate({ to: '/a/$accountId/inbox', params: { accountId }, search: next, replace: true })
    else
      void navigate({
        to: '/a/$accountId/inbox/$conversationId',
        params: { accountId, conversationId },
        search: message === undefined ? next : { ...next, message },
        replace: true,
      })
  }

  const at = marked >= 0 ? marked : items.findIndex((each) => each.id === conversationId)
  const move = (by: number) => setMarked(Math.max(0, Math.min(items.length - 1, at + by)))
  const down = () => move(1)
  const up = () => move(-1)
  const openMarked = () => {
    const chosen = items[at]
    if (chosen !== undefined) onOpen(chosen.id)
  }
  const go = (by: number) => {
    const chosen = items[Math.max(0, items.findIndex((each) => each.id === conversationId) + by)]
    if (chosen === undefined || chosen.id === conversationId) return
    keepFocusInComposer()
    setMarked(-1)
    onOpen(chosen.id)
  }
  useKeys({
    'Alt+ArrowDown': () => go(1),
    'Alt+ArrowUp': () => go(-1),
    j: down,
    k: up,
    ArrowDown: down,
    ArrowUp: up,
    Enter: openMarked,
    e: () => {
      const open = items.find((each) => each.id === conversationId)
      if (conversationId !== undefined && can('inbox:write'))
        change(conversationId, { state: open?.state === 'closed' ? 'open' : 'closed' })
    },
    i: details.toggle,
    Escape: onBack,
    '/': () => searchBox.current?.focus(),
    '?': help.open,
  })

  return (
    <div className={classes.page}>
      <ReconnectBar />
      <div className={classes.parts}>
        {isPhone && conversationId !== undefined ? null : (
          <ListPanel
            search={search}
            conversations={conversations}
            openId={conversationId ?? null}
            marked={marked}
            searchBox={searchBox}
            onSearch={onSearch}
            onOpen={onOpen}
          />
        )}
        {conversationId === undefined ? (
          isPhone ? null : (
            <div className={classes.nothing}>
              <Empty icon={<IconMessages size={36} stroke={1.4} />} title={t('nothing_open.title')}>
                {t('nothing_open.text')}
              </Empty>
            </div>
          )
        ) : (
          <Suspense fallback={<Loading lines={8} />}>
            <ThreadPanel
              key={conversationId}
              conversationId={conversationId}
              around={message ?? null}
              size={isPhone ? 'phone' : isWide ? 'wide' : 'medium'}
              areDetailsOpen={areDetailsOpen}
              onDetails={details.toggle}
              onBack={onBack}
            />
          </Suspense>
        )}
      </div>
      <OnceOpened opened={isHelpOpen}>
        <KeysHelp opened={isHelpOpen} onClose={help.close} />
      </OnceOpened>
    </div>
  )
}
