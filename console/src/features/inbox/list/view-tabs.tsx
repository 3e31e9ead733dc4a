import { Menu } from '@mantine/core'
import { IconAlarmSnooze, IconCircleCheck, IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../api/account.ts'
import classes from '../inbox.module.css'
import type { View } from '../views.ts'

type Props = { view: View; onView: (view: View) => void }

/** From here on the exact number says no more. */
const countMax = 99
const tabs = ['open', 'mine', 'unassigned'] as const
/** What is put aside has no count: it stands behind one button, so that the tabs fit beside it in any language. */
const aside = ['snoozed', 'closed'] as const
const icons = { snoozed: IconAlarmSnooze, closed: IconCircleCheck }

/** Which conversations the list shows. */
export function ViewTabs({ view, onView }: Props) {
  const { t } = useTranslation('inbox')
  const counts = useRead('GET /account/conversations/counts', {}).data
  return (
    <fieldset className={classes.tabs} aria-label={t('list.views')}>
      {tabs.map((each) => (
        <button type="button" key={each} aria-pressed={each === view} onClick={() => onView(each)}>
          <span className={classes.tabName}>{t(`view.${each}`)}</span>
          {counts === undefined ? null : (
            <span className={classes.count} title={String(counts[each])}>
              {counts[each] > countMax ? `${countMax}+` : counts[each]}
            </span>
          )}
        </button>
      ))}
      <Aside view={view} onView={onView} />
    </fieldset>
  )
}

function Aside({ view, onView }: Props) {
  const { t } = useTranslation('inbox')
  const chosen = aside.find((each) => each === view)
  const Icon = chosen === undefined ? IconDots : icons[chosen]
  const label = chosen === undefined ? t('list.aside') : t(`view.${chosen}`)
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <button type="button" aria-pressed={chosen !== undefined} aria-label={label} title={label} className={classes.aside}>
          <Icon size={18} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {aside.map((each) => {
          const Its = icons[each]
          return (
            <Menu.Item key={each} leftSection={<Its size={16} />} fw={each === view ? 600 : 400} onClick={() => onView(each)}>
              {t(`view.${each}`)}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
