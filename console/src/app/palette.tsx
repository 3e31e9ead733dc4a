import { Box, Modal, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconMessage, IconSearch, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../api/account.ts'
import { phoneWords } from '../ui/phone.ts'
import { connectionPages, teamPages, workPages } from './pages.tsx'
import classes from './palette.module.css'

type Choice = { key: string; group: 'pages' | 'people' | 'messages'; icon: ReactNode; label: string; hint: string; go: () => void }

const askMs = 200
const againMs = 3_000
const askedCharsMin = 2
const shownMax = 5
const size = 18

/** Goes to any page, and to conversations by who they are with and what was said, without the mouse. */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('app')
  return (
    <Modal.Root opened={opened} onClose={onClose} yOffset="12dvh" size={580} centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.label')} radius="lg">
        <Search onDone={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('app')
  const [text, setText] = useState('')
  const [moved, setMoved] = useState({ text: '', active: 0 })
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const { choices, isFetching } = useChoices(text.trim())
  // What was typed since has begun the list anew.
  const active = moved.text === text ? Math.min(moved.active, choices.length - 1) : 0
  useEffect(() => {
    // Newer browsers return a promise here, which React would take for a cleanup.
    void list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  })
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onDone()
    choice.go()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && choices.length > 0) setMoved({ text, active: (active + step + choices.length) % choices.length })
    else if (event.key === 'Enter') choose(choices[active])
    else return
    event.preventDefault()
  }
  return (
    <>
      <TextInput
        data-autofocus
        variant="unstyled"
        size="md"
        px="sm"
        role="combobox"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={choices[active] === undefined ? undefined : `${listId}-${active}`}
        aria-label={t('palette.label')}
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={size} />}
        value={text}
        maxLength={200}
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div ref={list} id={listId} role="listbox" aria-label={t('palette.label')} aria-busy={isFetching} className={classes.list}>
        {choices.length === 0 && !isFetching ? (
          <Text size="sm" c="var(--muted)" p="md" ta="center">
            {t('palette.none')}
          </Text>
        ) : null}
        {choices.map((choice, i) => (
          <Fragment key={choice.key}>
            {choices[i - 1]?.group === choice.group ? null : (
              <Title order={2} className={classes.group} role="presentation">
                {t(`palette.${choice.group}`)}
              </Title>
            )}
            <Box
              id={`${listId}-${i}`}
              role="option"
              aria-selected={i === active}
              className={classes.choice}
              onMouseMove={() => (i === active ? undefined : setMoved({ text, active: i }))}
              onClick={() => choose(choice)}
            >
              {choice.icon}
              <span className={classes.label} dir="auto">
                {choice.label}
              </span>
              <span className={classes.hint} dir="auto">
                {choice.hint}
              </span>
            </Box>
          </Fragment>
        ))}
      </div>
    </>
  )
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** What a text may mean: pages whose names hold it, conversations and messages that the search finds. */
function useChoices(text: string): { choices: Choice[]; isFetching: boolean } {
  const { t } = useTranslation('app')
  const { id: accountId, can } = useAccount()
  const navigate = useNavigate()
  const [asked] = useDebouncedValue(text, askMs)
  const isAsked = asked.length >= askedCharsMin && text.length >= askedCharsMin && can('messages:read')
  const found = useRead(
    'GET /account/search',
    { query: { q: asked } },
    {
      enabled: isAsked,
      placeholderData: (before) => before,
      // What was written a moment ago is found a moment later.
      refetchInterval: ({ state: { data } }) =>
        data !== undefined && data.conversations.length + data.messages.length === 0 ? againMs : false,
    },
  )
  const pages = [...workPages, ...connectionPages, ...teamPages]
    .filter(({ name, scope }) => (scope === null || can(scope)) && plain(t(`nav.${name}`)).includes(plain(text)))
    .map(({ to, name, icon }): Choice => {
      const go = () => void navigate({ to, params: { accountId } })
      return { key: name, group: 'pages', icon, label: t(`nav.${name}`), hint: '', go }
    })
  const open = (conversationId: string, message?: string) => () =>
    void navigate({
      to: '/a/$accountId/inbox/$conversationId',
      params: { accountId, conversationId },
      search: message === undefined ? {} : { message },
    })
  const { conversations = [], messages = [] } = isAsked ? (found.data ?? {}) : {}
  const people = conversations.slice(0, shownMax).map(({ id, contact: { name, phone } }): Choice => {
    const number = phone === '' ? '' : phoneWords(phone)
    return {
      key: id,
      group: 'people',
      icon: <IconUser size={size} />,
      label: name ?? number,
      hint: name === null ? '' : number,
      go: open(id),
    }
  })
  const said = messages.slice(0, shownMax).map(({ id, conversation_id, contact, snippet }): Choice => {
    const hint = contact.name ?? phoneWords(contact.phone)
    return { key: id, group: 'messages', icon: <IconMessage size={size} />, label: snippet, hint, go: open(conversation_id, id) }
  })
  return { choices: [...pages, ...people, ...said], isFetching: found.isFetching || (text !== asked && text.length >= askedCharsMin) }
}
