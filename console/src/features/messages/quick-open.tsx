import { Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type ClipboardEvent, type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount, useRead } from '../../api/account.ts'
import { useErrorWords } from '../../ui/states.tsx'

const isMessageId = (text: string) => /^msg_[0-9a-f]{32}$/.test(text)
const isWamid = (text: string) => text.startsWith('wamid.')

/** Opens a message by an id that is pasted, ours or the platform's; any other text is looked for as the caller's own reference. */
export function QuickOpen() {
  const { t } = useTranslation('messages')
  const { id: accountId } = useAccount()
  const navigate = useNavigate()
  const errorWords = useErrorWords()
  const [text, setText] = useState('')
  const [wamid, setWamid] = useState('')
  const found = useRead('GET /account/messages/by-wamid', { query: { wamid } }, { enabled: wamid !== '' })
  useEffect(() => {
    if (found.data === undefined) return
    void navigate({ to: '/a/$accountId/messages/$messageId', params: { accountId, messageId: found.data.id } })
  }, [found.data, navigate, accountId])

  const open = (given: string) => {
    const wanted = given.trim()
    if (wanted === '') return
    if (isWamid(wanted)) return setWamid(wanted)
    if (isMessageId(wanted)) return void navigate({ to: '/a/$accountId/messages/$messageId', params: { accountId, messageId: wanted } })
    setText('')
    void navigate({ to: '/a/$accountId/messages', params: { accountId }, search: { reference: wanted } })
  }
  const pasted = (event: ClipboardEvent<HTMLInputElement>) => {
    const given = event.clipboardData.getData('text').trim()
    if (isMessageId(given) || isWamid(given)) open(given)
  }
  const submitted = (event: FormEvent) => {
    event.preventDefault()
    open(text)
  }
  return (
    <form onSubmit={submitted} style={{ flex: '1 1 260px', maxWidth: 420 }}>
      <TextInput
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setWamid('')
        }}
        onPaste={pasted}
        leftSection={found.isFetching ? <Loader size={16} /> : <IconSearch size={16} />}
        aria-label={t('open.label')}
        placeholder={t('open.placeholder')}
        error={found.error === null ? undefined : errorWords(found.error)}
        maxLength={512}
        spellCheck={false}
      />
    </form>
  )
}
