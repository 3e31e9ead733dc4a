import { IconDots, IconMoodSmile } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../api/account.ts'
import type { TeamMessage } from '../../../api/generated/operations.ts'
import classes from '../inbox.module.css'
import { BubbleMenu } from './bubble-menu.tsx'
import { EmojiButton } from './emoji-bar.tsx'
import { ToolButton } from './tool-button.tsx'

/** The buttons beside a bubble. What they open is made when they are first pressed: it costs more than all else of a line. */
export function Tools({ message }: { message: TeamMessage }) {
  const { t } = useTranslation('inbox')
  const { can } = useAccount()
  const [isReacting, setReacting] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const mayReact = can('messages:send') && message.wamid !== null
  return (
    <div className={classes.tools}>
      {mayReact ? (
        <span className={classes.quick}>
          {isReacting ? (
            <EmojiButton message={message} />
          ) : (
            <ToolButton aria-label={t('react.action')} aria-haspopup="dialog" onClick={() => setReacting(true)}>
              <IconMoodSmile size={16} />
            </ToolButton>
          )}
        </span>
      ) : null}
      {isChoosing ? (
        <BubbleMenu message={message} />
      ) : (
        <ToolButton aria-label={t('message.actions')} aria-haspopup="menu" onClick={() => setChoosing(true)}>
          <IconDots size={16} />
        </ToolButton>
      )}
    </div>
  )
}
