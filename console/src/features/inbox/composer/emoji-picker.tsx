import { Box, Center, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Emoji, type EmojiGroup, emojis, findEmojis, groups } from './emoji-data.ts'

const columns = 8
const signs: Readonly<Record<EmojiGroup, string>> = {
  faces: '😀',
  hands: '👋',
  hearts: '❤️',
  things: '💡',
  food: '🍔',
  travel: '🚗',
  nature: '🌱',
  signs: '✅',
}

/** Common emojis by group, with a search in both languages. The arrow keys go from one to the next. */
export function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useTranslation('composer')
  const [search, setSearch] = useState('')
  const [group, setGroup] = useState<EmojiGroup>('faces')
  const input = useRef<HTMLInputElement>(null)
  // Not `data-autofocus`: the popover looks for that before this program has come.
  useEffect(() => input.current?.focus(), [])
  const shown = search.trim() === '' ? emojis[group] : findEmojis(search)
  return (
    <Stack gap={8} w={8 * 40}>
      <TextInput
        ref={input}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t('emoji.search')}
        aria-label={t('emoji.search')}
        leftSection={<IconSearch size={16} />}
      />
      {search.trim() === '' ? (
        <Group gap={0} role="group" aria-label={t('emoji.groups')}>
          {groups.map((each) => (
            <UnstyledButton
              key={each}
              onClick={() => setGroup(each)}
              aria-pressed={each === group}
              aria-label={t(`emoji.group.${each}`)}
              title={t(`emoji.group.${each}`)}
              w={40}
              h={36}
              ta="center"
              fz={18}
              style={{ borderBottom: `2px solid ${each === group ? 'var(--mantine-primary-color-filled)' : 'transparent'}` }}
            >
              {signs[each]}
            </UnstyledButton>
          ))}
        </Group>
      ) : null}
      {shown.length === 0 ? (
        <Center h={200}>
          <Text size="sm" c="var(--muted)">
            {t('emoji.none')}
          </Text>
        </Center>
      ) : (
        <Grid key={search === '' ? group : search} shown={shown} onPick={onPick} />
      )}
    </Stack>
  )
}

function Grid({ shown, onPick }: { shown: readonly Emoji[]; onPick: (emoji: string) => void }) {
  const { i18n, t } = useTranslation('composer')
  const [active, setActive] = useState(0)
  const grid = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(active + step, 0), shown.length - 1)
    setActive(next)
    const button = grid.current?.children[next]
    if (button instanceof HTMLElement) button.focus()
  }
  return (
    <Box
      ref={grid}
      mah={240}
      role="group"
      aria-label={t('emoji.list')}
      onKeyDown={onKeyDown}
      style={{ overflowY: 'auto', display: 'flex', flexWrap: 'wrap', alignContent: 'flex-start' }}
    >
      {shown.map(({ emoji, pt, en }, i) => (
        <UnstyledButton
          key={emoji}
          onClick={() => onPick(emoji)}
          onFocus={() => setActive(i)}
          tabIndex={i === active ? 0 : -1}
          aria-label={`${emoji} ${i18n.language === 'en' ? en : pt}`}
          title={i18n.language === 'en' ? en : pt}
          w={40}
          h={40}
          ta="center"
          fz={22}
        >
          {emoji}
        </UnstyledButton>
      ))}
    </Box>
  )
}
