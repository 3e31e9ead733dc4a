import { ActionIcon, Box, FileButton, Group, Text, Tooltip } from '@mantine/core'
import { IconPaperclip, IconSend2, IconSlash, IconTemplate } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import { OnceOpened } from '../../../ui/once-opened.tsx'
import { enqueueSends } from '../pending.ts'
import { personName } from '../person.ts'
import { usePlace } from '../place.ts'
import { filesMax, release, useAttach } from './attach.ts'
import { CannedList, optionId } from './canned-list.tsx'
import { addresseeOf, type ComposedConversation, type QuotedMessage } from './conversation.ts'
import { CannedDialog, TemplateDialog } from './dialogs.ts'
import { useDraft } from './drafts.ts'
import { DropArea } from './drop-area.tsx'
import { EmojiButton } from './emoji-button.tsx'
import { FileTray } from './file-tray.tsx'
import { Frame } from './frame.tsx'
import { ReplyBar } from './reply-bar.tsx'
import { sendOfTemplate } from './send-of-template.ts'
import { sendsOfDraft } from './sends-of-draft.ts'
import { insertAtCursor, TextBox } from './text-box.tsx'
import { useCanned } from './use-canned.ts'
import { useTyping } from './use-typing.ts'

const textCharsMax = 4096
/** From here on what is left is counted. */
const countedFrom = 3_800

type Props = {
  conversation: ComposedConversation
  replyTo: QuotedMessage | null
  onClearReply: () => void
  within: RefObject<HTMLElement | null>
}

/** Where a message is written: text, emojis, files, a quote, canned answers, templates. */
export function MessageBox({ conversation, replyTo, onClearReply, within }: Props) {
  const { t } = useTranslation('composer')
  const { can, mode } = useAccount()
  const place = usePlace()
  const [draft, handle] = useDraft(conversation.id)
  const attach = useAttach(handle)
  const typing = useTyping(conversation.id)
  const input = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [dialog, setDialog] = useState<'canned' | 'template' | null>(null)
  const write = (text: string) => {
    handle.change({ text })
    if (text !== '') typing()
  }
  const canned = useCanned(draft.text, ({ text }) => write(text))
  const isUploading = draft.files.some((each) => each.media === null && each.error === null)
  const isTooLong = draft.text.trim().length > textCharsMax
  const mayUpload = can('media:write') && mode === 'live'

  useEffect(() => {
    if (replyTo !== null) input.current?.focus()
  }, [replyTo])

  const send = () => {
    // Read where it stands, not where it was drawn: the second of two clicks finds nothing left to send.
    const now = handle.now()
    const sends = sendsOfDraft(now, conversation, replyTo?.id ?? null)
    if (sends.length === 0 || now.text.trim().length > textCharsMax) return
    if (now.files.some((each) => each.media === null && each.error === null)) return
    handle.change({ text: '', files: now.files.filter((each) => each.media === null) })
    for (const each of now.files) if (each.media !== null) release(each.id)
    enqueueSends(place, conversation.id, sends)
    onClearReply()
    input.current?.focus()
  }
  const addFiles = (files: File[]) => {
    if (mayUpload) attach.add(files)
  }
  const insert = (text: string) => write(insertAtCursor(input.current, handle.now().text, text))

  return (
    <Box pos="relative">
      {mayUpload ? <DropArea within={within} onFiles={addFiles} /> : null}
      {canned.answers === null ? null : (
        <CannedList
          id={listId}
          label={t('canned.title')}
          answers={canned.answers}
          active={canned.active}
          onPick={({ text }) => write(text)}
        />
      )}
      <Frame>
        {replyTo === null ? null : <ReplyBar message={replyTo} personName={personName(conversation.contact)} onClear={onClearReply} />}
        <FileTray files={draft.files} attach={attach} onCaption={(id, caption) => handle.changeFile(id, { caption })} onSend={send} />
        <Box px={8}>
          <TextBox
            label={t('text.label')}
            placeholder={t('text.placeholder')}
            value={draft.text}
            onChange={write}
            onSend={send}
            onKey={(event) => {
              if (canned.onKey(event)) return true
              if (event.key !== 'Escape' || replyTo === null) return false
              onClearReply()
              return true
            }}
            onFiles={addFiles}
            inputRef={input}
            aria={
              canned.answers === null
                ? { 'aria-autocomplete': 'list' }
                : { 'aria-autocomplete': 'list', 'aria-controls': listId, 'aria-activedescendant': optionId(listId, canned.active) }
            }
          />
        </Box>
        <Group justify="space-between" gap={4} px={4} pb={4} wrap="nowrap">
          <Group gap={2} wrap="nowrap">
            {mayUpload ? (
              <FileButton onChange={addFiles} multiple>
                {(props) => (
                  <Tool {...props} label={t('tools.attach')} isOff={draft.files.length >= filesMax}>
                    <IconPaperclip size={20} />
                  </Tool>
                )}
              </FileButton>
            ) : null}
            <EmojiButton onPick={insert} />
            <Tool label={t('tools.canned')} onClick={() => setDialog('canned')}>
              <IconSlash size={20} />
            </Tool>
            {can('templates:read') ? (
              <Tool label={t('tools.template')} onClick={() => setDialog('template')}>
                <IconTemplate size={20} />
              </Tool>
            ) : null}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {draft.text.length < countedFrom ? null : (
              <Text size="xs" role="status" fw={isTooLong ? 600 : 400} c={isTooLong ? 'light-dark(#b3261e, #ff9d95)' : 'var(--muted)'}>
                {isTooLong
                  ? t('text.too_long', { count: draft.text.trim().length - textCharsMax })
                  : `${draft.text.length} / ${textCharsMax}`}
              </Text>
            )}
            <Tooltip label={isUploading ? t('tools.wait') : t('tools.send')}>
              <ActionIcon
                size={40}
                onClick={send}
                aria-label={t('tools.send')}
                disabled={isUploading || isTooLong || (draft.text.trim() === '' && draft.files.every((each) => each.media === null))}
              >
                <IconSend2 size={20} />
              </ActionIcon>
            </Tooltip>
          </Group>
        </Group>
      </Frame>
      <OnceOpened opened={dialog === 'canned'}>
        <CannedDialog
          opened={dialog === 'canned'}
          onClose={() => setDialog(null)}
          onUse={({ text }) => {
            setDialog(null)
            insert(text)
          }}
        />
      </OnceOpened>
      <OnceOpened opened={dialog === 'template'}>
        <TemplateDialog
          channelId={conversation.channel_id}
          opened={dialog === 'template'}
          onClose={() => setDialog(null)}
          onSend={(filled) => {
            setDialog(null)
            enqueueSends(place, conversation.id, [sendOfTemplate(filled, addresseeOf(conversation), replyTo?.id ?? null)])
            onClearReply()
          }}
        />
      </OnceOpened>
    </Box>
  )
}

type ToolProps = { label: string; children: ReactNode; onClick?: () => void; isOff?: boolean; 'aria-expanded'?: boolean }

function Tool({ label, children, onClick, isOff = false, ...rest }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon size={40} variant="subtle" color="gray" aria-label={label} onClick={onClick} disabled={isOff} {...rest}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
