import { Text } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, type Reason } from '../api/client.ts'

/** Why something was refused, in the reader's language. Its words come when they are first needed. Nothing while they are on their way. */
export function ReasonWords({ reason }: { reason: Reason | null }): ReactNode {
  return (
    <Suspense fallback={null}>
      <Sentence reason={reason} />
    </Suspense>
  )
}

function Sentence({ reason }: { reason: Reason | null }) {
  const { t, i18n } = useTranslation('refusals')
  // A gateway that is newer than this page may have reasons that it does not know.
  const isKnown = reason !== null && i18n.exists(`reason.${reason.code}`, { ns: 'refusals' })
  return isKnown ? t(`reason.${reason.code}`, { ...reason.params }) : t('unknown')
}

/** All that is said of a refusal beside its title, each sentence once; what failed inside says nothing to people. */
export function RefusalWords({ error }: { error: unknown }): ReactNode {
  return reasonsOf(error).map((reason) => (
    <Text key={JSON.stringify(reason)} size="sm" component="div">
      <ReasonWords reason={reason} />
    </Text>
  ))
}

/** Reasons of a refusal, those of its fields where it has any. */
function reasonsOf(error: unknown): readonly Reason[] {
  if (!(error instanceof ApiError)) return []
  const ofFields = error.details.flatMap(({ reason }) => reason ?? [])
  const all = ofFields.length > 0 ? ofFields : error.reason === null ? [] : [error.reason]
  return [...new Map(all.map((reason) => [JSON.stringify(reason), reason])).values()]
}
