import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveState } from '../../api/live.ts'
import classes from './inbox.module.css'

/** A line that breaks for less than this is nobody's concern. */
const calmMs = 3_000

/** Says that what is shown may be old, once the line has been down for a while. */
export function ReconnectBar() {
  const { t } = useTranslation('inbox')
  const state = useLiveState()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (state !== 'down') return setShown(false)
    const timer = setTimeout(() => setShown(true), calmMs)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <div role="status" aria-live="polite">
      {isShown ? <div className={classes.reconnect}>{t('reconnecting')}</div> : null}
    </div>
  )
}
