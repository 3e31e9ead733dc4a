import { IconAlarmSnooze, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/account.ts'
import classes from '../inbox.module.css'
import { type View, views } from '../views.ts'

const countMax = 999

/** Where words would take too much room. */
const icons: Partial<Record<View, ReactNode>> = {
  snoozed: <IconAlarmSnooze size={17} aria-hidden />,
  closed: <IconCircleCheck size={17} aria-hidden />,
}

/** Which conversations the list shows. */
export function ViewTabs({ view, onView }: { view: View; onView: (view: View) => void }) {
  const { t } = useTranslation('inbox')
  const counts = useRead('GET /account/conversations/counts', {}).data
  return (
    <fieldset className={classes.tabs} aria-label={t('list.views')}>
      {views.map((each) => {
        const count = counts === undefined || each === 'snoozed' || each === 'closed' ? undefined : counts[each]
        return (
          <button
            type="button"
            key={each}
            aria-pressed={each === view}
            onClick={() => onView(each)}
            {...(icons[each] === undefined ? {} : { 'aria-label': t(`view.${each}`), title: t(`view.${each}`) })}
          >
            {icons[each] ?? t(`view.${each}`)}
            {count === undefined ? null : <span className={classes.count}>{count > countMax ? `${countMax}+` : count}</span>}
          </button>
        )
      })}
    </fieldset>
  )
}
