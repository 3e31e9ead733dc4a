import { Text } from '@mantine/core'
import { useUpstreamAdvice } from '../../../ui/upstream-codes.ts'
import classes from '../inbox.module.css'

/** Why a message did not arrive, and what to do about it. */
export function FailureNote({ error }: { error: { code: number | null; message: string } }) {
  const advice = useUpstreamAdvice()
  const { title, advice: words } = advice(error.code)
  return (
    <div className={classes.failure}>
      <Text size="xs" fw={600}>
        {title}
      </Text>
      <Text size="xs">{words}</Text>
      <Text size="xs" c="var(--muted)">
        {[error.code === null ? null : String(error.code), error.message].filter((each) => each !== null).join(' · ')}
      </Text>
    </div>
  )
}
