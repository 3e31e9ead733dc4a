import { useSyncExternalStore } from 'react'
import type { Mode } from '../api/client.ts'

const key = 'pombo.mode'
const listeners = new Set<() => void>()

/** Shows live or test data from now on, in this tab. */
export function setMode(mode: Mode): void {
  sessionStorage.setItem(key, mode)
  for (const listener of listeners) listener()
}

export function useMode(): Mode {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => (sessionStorage.getItem(key) === 'test' ? 'test' : 'live'),
  )
}
