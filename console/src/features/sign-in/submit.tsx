import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

type Props = { children: string; isBusy: boolean; waitSeconds?: number; testId?: string }

/** The button of a form here; while a throttled one has to wait, it counts down. */
export function Submit({ children, isBusy, waitSeconds = 0, testId }: Props) {
  const { t } = useTranslation('sign-in')
  return (
    <Button type="submit" size="md" fullWidth loading={isBusy} disabled={waitSeconds > 0} data-testid={testId}>
      {waitSeconds > 0 ? t('throttled.wait', { time: minutes(waitSeconds) }) : children}
    </Button>
  )
}

const minutes = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
