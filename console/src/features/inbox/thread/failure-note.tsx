import { Text } from '@mantine/core'
import { Said } from '../../../ui/said.tsx'
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
      <Said>{[error.code === null ? null : String(error.code), error.message].filter((each) => each !== null).join(' · ')}</Said>
    </div>
  )
}
