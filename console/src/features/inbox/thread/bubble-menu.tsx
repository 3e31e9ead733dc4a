import { Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconArrowBackUp, IconCopy, IconDots, IconListDetails } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import classes from '../inbox.module.css'
import { EmojiRow } from './emoji-bar.tsx'
import { useThreadTools } from './thread-context.ts'
import { ToolButton } from './tool-button.tsx'

/** What can be done with one message; open from its beginning. */
export function BubbleMenu({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  const { id, can } = useAccount()
  const { reply } = useThreadTools()
  const clipboard = useClipboard()
  const [isOpen, setOpen] = useState(true)
  const { text } = message
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ToolButton aria-label={t('message.actions')}>
          <IconDots size={16} />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.inMenu}>
          <EmojiRow message={message} onDone={() => setOpen(false)} />
        </div>
        {can('messages:send') && message.wamid !== null ? (
          <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={() => reply(message)}>
            {t('message.reply')}
          </Menu.Item>
        ) : null}
        {text === null ? null : (
          <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => clipboard.copy(text)}>
            {t('message.copy')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<IconListDetails size={16} />}
          renderRoot={(props) => (
            <Link {...props} to="/a/$accountId/messages/$messageId" params={{ accountId: id, messageId: message.id }} />
          )}
        >
          {t('message.open')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
