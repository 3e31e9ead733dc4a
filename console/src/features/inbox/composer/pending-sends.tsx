import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconClock, IconFile } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/client.ts'
import { FormattedText } from '../../../ui/formatted-text.tsx'
import { ReasonWords } from '../../../ui/refusal-words.tsx'
import { Said } from '../../../ui/said.tsx'
import { useErrorWords } from '../../../ui/states.tsx'
import { dropSend, mayRetry, type PendingSend, retrySend, usePendingSends } from '../pending.ts'
import { useDraft } from './drafts.ts'

/** The end of a thread: what this browser has sent and is not in it yet, and what could not be sent, with what to do. */
export function PendingSends({ conversationId }: { conversationId: string }) {
  const { t } = useTranslation('composer')
  const sends = usePendingSends(conversationId)
  const box = useRef<HTMLDivElement>(null)
  const count = sends.length
  useEffect(() => {
    if (count > 0) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  if (sends.length === 0) return null
  return (
    <Stack
      ref={box}
      gap={6}
      align="flex-end"
      px="md"
      py={6}
      mah="45%"
      role="log"
      data-pending
      aria-label={t('pending.label')}
      style={{ background: 'var(--page)', overflowY: 'auto', flexShrink: 0 }}
    >
      {sends.map((send) => (
        <PendingBubble key={send.key} send={send} />
      ))}
    </Stack>
  )
}

function PendingBubble({ send }: { send: PendingSend }) {
  const { t } = useTranslation('composer')
  const { text, file } = send.shown
  const isFailed = send.state === 'failed'
  return (
    <Box
      maw="min(520px, 85%)"
      p="xs"
      data-testid="pending-send"
      data-state={send.state}
      style={{
        background: 'var(--bubble-out)',
        borderRadius: 12,
        border: isFailed ? '1px solid light-dark(#b3261e, #ff9d95)' : '1px solid transparent',
      }}
    >
      {file === null ? null : <File {...file} />}
      {text === null ? null : (
        <Text size="sm" component="div">
          <FormattedText text={text} />
        </Text>
      )}
      {isFailed ? (
        <Failure send={send} />
      ) : (
        <Group gap={4} justify="flex-end" c="var(--muted)" wrap="nowrap">
          <IconClock size={14} />
          <Text size="xs">{t('pending.sending')}</Text>
        </Group>
      )}
    </Box>
  )
}

function File({ url, name, kind }: { url: string; name: string; kind: string }) {
  if (kind === 'image' || kind === 'sticker')
    return <img src={url} alt={name} style={{ maxWidth: '100%', maxHeight: 220, borderRadius: 8 }} />
  return (
    <Group gap="xs" wrap="nowrap">
      <IconFile size={20} />
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    </Group>
  )
}

/** What there is to do by the code of a refusal. */
const advised = [
  'outside_customer_service_window',
  'recipient_opted_out',
  'channel_not_connected',
  'account_suspended',
  'rate_limited',
  'forbidden',
  'unauthorized',
  'unreachable',
  'interrupted',
  'internal_error',
  'invalid_request',
]

function Failure({ send }: { send: PendingSend }) {
  const { t } = useTranslation('composer')
  const words = useErrorWords()
  const [draft, handle] = useDraft(send.conversationId)
  const { code, message, reasons, status, isUnclear, requestId } = send.error ?? {
    code: 'internal_error',
    message: '',
    reasons: [],
    status: 0,
    isUnclear: true,
    requestId: null,
  }
  const isEditable = !isUnclear || !mayRetry(send)
  const { text } = send.shown
  const edit = () => {
    handle.change({ text: draft.text === '' ? (text ?? '') : `${text ?? ''}\n${draft.text}`, isNote: false })
    dropSend(send.key)
  }
  return (
    <Stack gap={4} mt={6} role="alert">
      <Group gap={4} wrap="nowrap" c="light-dark(#b3261e, #ff9d95)">
        <IconAlertCircle size={16} style={{ flexShrink: 0 }} />
        <Text size="sm" fw={600}>
          {code === 'interrupted' ? t('failed.interrupted') : words(new ApiError({ status, code, message }))}
        </Text>
      </Group>
      <Text size="xs">{t(`failed.advice.${advised.includes(code) ? code : 'other'}`)}</Text>
      {code === 'invalid_request'
        ? (reasons ?? []).map((reason) => (
            <Text key={JSON.stringify(reason)} size="xs">
              <ReasonWords reason={reason} />
            </Text>
          ))
        : null}
      {code === 'invalid_request' ? <Said>{message}</Said> : null}
      {requestId === null ? null : (
        <Text size="xs" c="var(--muted)">
          {t('failed.request', { id: requestId })}
        </Text>
      )}
      <Group gap={6}>
        {mayRetry(send) ? (
          <Button size="xs" variant="default" mih={36} onClick={() => retrySend(send.key)}>
            {t('failed.retry')}
          </Button>
        ) : null}
        {isEditable && send.body.type === 'text' ? (
          <Button size="xs" variant="default" mih={36} onClick={edit}>
            {t('failed.edit')}
          </Button>
        ) : null}
        <Button size="xs" variant="subtle" color="gray" mih={36} onClick={() => dropSend(send.key)}>
          {t('failed.discard')}
        </Button>
      </Group>
    </Stack>
  )
}
