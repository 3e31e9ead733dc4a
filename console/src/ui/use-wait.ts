import { useInterval } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/client.ts'

/** When the gateway does not say how long. */
const secondsOtherwise = 30

/** How many seconds a call that was refused for being one too many has to wait; 0: none. */
export function useWait(error: unknown): number {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(() => Date.now())
  useInterval(() => setNow(Date.now()), 1_000, { autoInvoke: true })
  useEffect(() => {
    if (!(error instanceof ApiError) || error.status !== 429) return
    setNow(Date.now())
    setUntil(Date.now() + (error.retryAfterSeconds ?? secondsOtherwise) * 1_000)
  }, [error])
  return Math.max(0, Math.ceil((until - now) / 1_000))
}
