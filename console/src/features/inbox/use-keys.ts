import { useEffect, useRef } from 'react'

/** What keys do, by their name, while no dialog is open: those with Alt (`Alt+ArrowUp`) always, the others while nobody writes. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    let isForDialog = false
    // On the way down: the dialog that the key closes may be gone on its way up.
    const look = () => {
      isForDialog = isDialogOpen()
    }
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || isForDialog) return
      if (!event.altKey && isTaken(event.target, event.key)) return
      const act = latest.current[event.altKey ? `Alt+${event.key}` : event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', look, { capture: true })
    window.addEventListener('keydown', press)
    return () => {
      window.removeEventListener('keydown', look, { capture: true })
      window.removeEventListener('keydown', press)
    }
  }, [])
}

/** Whether the key means something else where the focus is. */
function isTaken(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|AUDIO|VIDEO)$/.test(target.tagName)) return true
  if (key.startsWith('Arrow')) return target.closest('[role="log"]') !== null
  return key === 'Enter' && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)
}

const isDialogOpen = () => [...document.querySelectorAll('[role="dialog"], [role="menu"]')].some((each) => each.getClientRects().length > 0)
