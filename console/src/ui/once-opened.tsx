import { type ReactNode, Suspense, useRef } from 'react'

/** Holds a dialog whose program is loaded when it is first opened. It stays from then on, so that it gives the focus back when it is shut. */
export function OnceOpened({ opened, children }: { opened: boolean; children: ReactNode }) {
  const wasOpened = useRef(false)
  wasOpened.current ||= opened
  return wasOpened.current ? <Suspense fallback={null}>{children}</Suspense> : null
}
