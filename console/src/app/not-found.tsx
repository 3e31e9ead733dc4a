import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/states.tsx'
import { useTitle } from '../ui/title.ts'

/** A page that does not exist, or not for this person. */
export function NotFound() {
  const { t } = useTranslation('app')
  useTitle(t('not_found.title'))
  return (
    <Empty
      title={t('not_found.title')}
      action={
        <Button variant="default" mt="sm" renderRoot={(props) => <Link {...props} to="/" />}>
          {t('not_found.back')}
        </Button>
      }
    >
      {t('not_found.text')}
    </Empty>
  )
}

/** The account of this page is none of theirs any more. */
export function NoLongerMember({ account }: { account: string }) {
  const { t } = useTranslation('app')
  return (
    <Empty
      title={t('left.title', { account })}
      action={
        <Button variant="default" mt="sm" renderRoot={(props) => <Link {...props} to="/" />}>
          {t('left.go')}
        </Button>
      }
    >
      {t('left.text')}
    </Empty>
  )
}
