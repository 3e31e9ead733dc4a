import { ActionIcon, Group, TextInput } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { IconMessagePlus, IconSearch, IconX } from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import { OnceOpened } from '../../../ui/once-opened.tsx'
import { NewConversation } from '../composer/dialogs.ts'
import classes from '../inbox.module.css'
import type { InboxSearch } from '../views.ts'
import { ConversationList } from './conversation-list.tsx'
import { Filters } from './filters.tsx'
import { SearchResults } from './search-results.tsx'
import type { useConversations } from './use-conversations.ts'
import { ViewTabs } from './view-tabs.tsx'

type Props = {
  search: InboxSearch
  conversations: ReturnType<typeof useConversations>
  openId: string | null
  marked: number
  searchBox: RefObject<HTMLInputElement | null>
  onSearch: (search: InboxSearch) => void
  onOpen: (id: string, message?: string) => void
}

const askMs = 250

/** The left part: which conversations there are, and the search. */
export function ListPanel({ search, conversations, openId, marked, searchBox, onSearch, onOpen }: Props) {
  const { t } = useTranslation('inbox')
  const { q = '', view = 'open', channel, label, unread } = search
  const { can } = useAccount()
  const isTouch = useMediaQuery('(pointer: coarse)') ?? false
  const [isNew, setNew] = useState(false)
  const [asked] = useDebouncedValue(q.trim(), askMs)
  const without = ({ q: _q, ...rest }: InboxSearch) => rest
  return (
    <section className={classes.listPanel} aria-label={t('list.label')}>
      <Group gap={8} wrap="nowrap" p="xs">
        <TextInput
          ref={searchBox}
          style={{ flex: 1 }}
          type="search"
          aria-label={t('search.label')}
          placeholder={isTouch ? t('search.placeholder_touch') : t('search.placeholder')}
          leftSection={<IconSearch size={16} />}
          value={q}
          onChange={(event) => onSearch(event.currentTarget.value === '' ? without(search) : { ...search, q: event.currentTarget.value })}
          rightSection={
            q === '' ? null : (
              <ActionIcon variant="subtle" color="gray" size={26} aria-label={t('search.clear')} onClick={() => onSearch(without(search))}>
                <IconX size={14} />
              </ActionIcon>
            )
          }
        />
        <Filters
          filter={{
            ...(channel === undefined ? {} : { channel }),
            ...(label === undefined ? {} : { label }),
            ...(unread === undefined ? {} : { unread }),
          }}
          onFilter={(filter) => onSearch({ ...(view === 'open' ? {} : { view }), ...(q === '' ? {} : { q }), ...filter })}
        />
        {can('messages:send') && can('inbox:write') && can('templates:read') ? (
          <ActionIcon size={36} variant="default" onClick={() => setNew(true)} aria-label={t('list.new')} title={t('list.new')}>
            <IconMessagePlus size={18} />
          </ActionIcon>
        ) : null}
      </Group>
      <OnceOpened opened={isNew}>
        <NewConversation
          opened={isNew}
          onClose={() => setNew(false)}
          onOpened={(id) => {
            setNew(false)
            onOpen(id)
          }}
        />
      </OnceOpened>
      {q.trim() === '' ? (
        <>
          <ViewTabs
            view={view}
            onView={(next) => {
              const { view: _view, ...rest } = search
              onSearch(next === 'open' ? rest : { ...rest, view: next })
            }}
          />
          <ConversationList
            items={conversations.items}
            read={conversations}
            view={view}
            isFiltered={channel !== undefined || label !== undefined || unread !== undefined}
            openId={openId}
            marked={marked}
            onClear={() => onSearch(view === 'open' ? {} : { view })}
          />
        </>
      ) : (
        <SearchResults asked={asked} openId={openId} onOpen={onOpen} />
      )}
    </section>
  )
}
