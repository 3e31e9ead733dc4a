import { ActionIcon, Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTag } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../../api/account.ts'
import type { Conversation } from '../../../api/generated/operations.ts'
import { useChangeConversation } from '../use-change-conversation.ts'

const labelCharsMax = 40

/** The labels of a conversation: those in use are chosen, others are written. */
export function LabelMenu({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { change } = useChangeConversation()
  const known = useRead('GET /account/labels', {}, { enabled: isOpen })
  const { labels } = conversation
  const all = [...new Set([...labels, ...(known.data?.data ?? []).map((each) => each.label)])].toSorted((a, b) => a.localeCompare(b))
  const wanted = text.trim()
  const shown = all.filter((each) => each.toLowerCase().includes(wanted.toLowerCase()))
  const toggle = (label: string) =>
    change(conversation.id, { labels: labels.includes(label) ? labels.filter((each) => each !== label) : [...labels, label] })
  const add = () => {
    if (wanted !== '' && !labels.includes(wanted)) toggle(wanted)
    setText('')
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={240} trapFocus>
      <Popover.Target>
        <Tooltip label={t('labels.action')}>
          <ActionIcon
            variant="default"
            size={30}
            disabled={!can('inbox:write')}
            aria-label={t('labels.action')}
            onClick={() => setOpen(!isOpen)}
          >
            <IconTag size={16} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('labels.action')}>
        <Stack gap="xs">
          <TextInput
            size="xs"
            value={text}
            maxLength={labelCharsMax}
            aria-label={t('labels.find')}
            placeholder={t('labels.find')}
            onChange={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') add()
            }}
            data-autofocus
          />
          <ScrollArea.Autosize mah={220}>
            <Stack gap={8}>
              {shown.map((label) => (
                <Checkbox key={label} size="xs" label={label} checked={labels.includes(label)} onChange={() => toggle(label)} />
              ))}
              {all.length === 0 && wanted === '' ? (
                <Text size="xs" c="var(--muted)">
                  {t('labels.none')}
                </Text>
              ) : null}
            </Stack>
          </ScrollArea.Autosize>
          {wanted !== '' && !all.includes(wanted) ? (
            <Button size="compact-sm" variant="light" leftSection={<IconPlus size={14} />} onClick={add}>
              {t('labels.add', { label: wanted })}
            </Button>
          ) : null}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
