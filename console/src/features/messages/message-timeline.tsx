import { Box, Group, Stack, Text, ThemeIcon } from '@mantine/core'
import {
  IconAlertCircle,
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBolt,
  IconCheck,
  IconChecks,
  IconCloudUpload,
  IconHourglass,
  IconPaperclip,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { distanceWords } from '../../ui/duration.ts'
import { Moment } from '../../ui/time.tsx'
import { EntryWords } from './entry-words.tsx'
import type { Timeline, TimelineEntry } from './timeline-type.ts'

const size = 16

/** The course of a message, from the first thing that happened to the last. */
export function MessageTimeline({ timeline: { entries } }: { timeline: Timeline }) {
  const { t } = useTranslation('messages')
  const first = entries[0]?.at
  return (
    <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('timeline.title')}>
      {entries.map((entry, i) => {
        const [color, icon] = lookOf(entry)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever added, and two may be alike
          <Group key={i} component="li" wrap="nowrap" align="stretch" gap="md">
            <Stack gap={0} align="center">
              <ThemeIcon variant="light" color={color} radius="xl" size={30} aria-hidden="true">
                {icon}
              </ThemeIcon>
              {i === entries.length - 1 ? null : <Box w={2} style={{ flex: 1, minHeight: 12, background: 'var(--line)' }} />}
            </Stack>
            <Box pb="lg" pt={4} style={{ flex: 1, minWidth: 0 }}>
              <Group justify="space-between" gap="xs" align="baseline">
                <Text size="sm" fw={600} component="span">
                  <EntryTitle entry={entry} />
                </Text>
                <Text size="xs" c="var(--muted)" component="span" style={{ fontVariantNumeric: 'tabular-nums' }}>
                  <Moment at={entry.at} precise /> {first === undefined || i === 0 ? null : <Since from={first} to={entry.at} />}
                </Text>
              </Group>
              <EntryWords entry={entry} />
            </Box>
          </Group>
        )
      })}
    </Stack>
  )
}

function EntryTitle({ entry }: { entry: TimelineEntry }) {
  const { t } = useTranslation('messages')
  switch (entry.kind) {
    case 'status':
      return t(`timeline.status.${entry.status}`)
    case 'upstream_call':
      return t(`timeline.call.${entry.outcome}`, { number: entry.number })
    case 'queued':
      return entry.until === null ? t('timeline.waits') : t('timeline.queued')
    case 'file':
      return t(`timeline.file.${entry.state}`)
    case 'event':
      return t('timeline.event', { type: entry.type })
    default:
      return t(`timeline.${entry.kind}`)
  }
}

/** How long after the beginning. The platform tells whole seconds, cut off: what it tells may seem to come first. */
function Since({ from, to }: { from: string; to: string }) {
  const { t, i18n } = useTranslation('messages')
  const words = distanceWords(from, to, i18n.language)
  return <>({words === null ? t('timeline.same_second') : `+${words}`})</>
}

function lookOf(entry: TimelineEntry): readonly [color: string, icon: ReactNode] {
  switch (entry.kind) {
    case 'accepted':
      return ['gray', <IconArrowUpRight key="icon" size={size} />]
    case 'received':
      return ['grape', <IconArrowDownLeft key="icon" size={size} />]
    case 'queued':
      return [entry.until === null ? 'yellow' : 'gray', <IconHourglass key="icon" size={size} />]
    case 'upstream_call':
      return [
        entry.outcome === 'accepted' ? 'blue' : entry.outcome === 'refused' ? 'red' : 'yellow',
        <IconCloudUpload key="icon" size={size} />,
      ]
    case 'status':
      if (entry.status === 'failed') return ['red', <IconAlertCircle key="icon" size={size} />]
      return entry.status === 'sent' ? ['blue', <IconCheck key="icon" size={size} />] : ['teal', <IconChecks key="icon" size={size} />]
    case 'file':
      return [entry.state === 'given_up' ? 'red' : 'yellow', <IconPaperclip key="icon" size={size} />]
    case 'edited':
      return ['gray', <IconPencil key="icon" size={size} />]
    case 'deleted':
      return ['gray', <IconTrash key="icon" size={size} />]
    default:
      return [entry.deliveries.some(({ status }) => status === 'failed') ? 'red' : 'gray', <IconBolt key="icon" size={size} />]
  }
}
