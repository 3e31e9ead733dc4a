import { useEffect, useRef } from 'react'
import type { Note } from '../../../api/generated/operations.ts'
import { useMe } from '../../../api/me.ts'
import { usePendingSends } from '../pending.ts'

/** Calls back when who looks at a thread has sent something into it or written a note. `notes`: undefined until they are read. */
export function useOwnWords(conversationId: string, notes: readonly Note[] | undefined, onWritten: () => void): void {
  const me = useMe().data?.user.id
  const since = useRef(Date.now())
  const sends = usePendingSends(conversationId).filter((each) => each.createdAt >= since.current)
  useNew(
    sends.map((each) => each.key),
    onWritten,
  )
  useNew(
    notes?.filter((each) => each.author.id === me).map((each) => each.id),
    onWritten,
  )
}

/** Calls back when there is a key that was not there before. The first keys are not new. */
function useNew(keys: readonly string[] | undefined, onNew: () => void): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (keys === undefined) return
    const before = known.current
    known.current = new Set(keys)
    if (before !== null && keys.some((key) => !before.has(key))) onNew()
  })
}
