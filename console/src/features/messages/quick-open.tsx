import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ClipboardEvent, type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../api/account.ts'

const isMessageId = (text: string) => /^msg_[0-9a-f]{32}$/.test(text)
const isUpstreamId = (text: string) => text.startsWith('wamid.')

/** Opens a message by an id that is pasted, ours or the platform's; any other text is looked for as the caller's own reference. */
export function QuickOpen() {
  const { t } = useTranslation('messages')
  const { id: accountId } = useAccount()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const open = (given: string) => {
    const wanted = given.trim()
    if (wanted === '') return
    if (isMessageId(wanted) || isUpstreamId(wanted))
      return void navigate({ to: '/a/$accountId/messages/$messageId', params: { accountId, messageId: wanted } })
    setText('')
    void navigate({ to: '/a/$accountId/messages', params: { accountId }, search: { reference: wanted } })
  }
  const pasted = (event: ClipboardEvent<HTMLInputElement>) => {
    const given = event.clipboardData.getData('text').trim()
    if (isMessageId(given) || isUpstreamId(given)) open(given)
  }
  const submitted = (event: FormEvent) => {
    event.preventDefault()
    open(text)
  }
  return (
    <form onSubmit={submitted} style={{ flex: '1 1 260px', maxWidth: 420 }}>
      <TextInput
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onPaste={pasted}
        leftSection={<IconSearch size={16} />}
        aria-label={t('open.label')}
        placeholder={t('open.placeholder')}
        maxLength={512}
        spellCheck={false}
      />
    </form>
  )
}
