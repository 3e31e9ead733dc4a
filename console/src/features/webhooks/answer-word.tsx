import { useTranslation } from 'react-i18next'
import type { Attempt } from './webhook.ts'

/** What came back: the status, or in words why none came. */
export function AnswerWord({ attempt }: { attempt: Attempt | undefined }) {
  const { t } = useTranslation('webhooks')
  if (attempt === undefined) return '–'
  if (attempt.status_code !== null) return `HTTP ${attempt.status_code}`
  return t(`failure.${attempt.error ?? 'unknown'}`)
}
