import { useCallback, useMemo, useRef } from 'react'

/** As near to the end as this, one is at it. */
export const nearEndPx = 80

type Pin = { hold(): void; release(): void }

/**
 * Keeps the end of a thread in sight while what stands below it grows: a quote, a long text, files. `ref` takes the element that scrolls;
 * `stick` holds the end from now on, until somebody scrolls away from it.
 */
export function usePinnedEnd(): { ref: (scroller: HTMLElement | Window | null) => void; stick: () => void } {
  const pin = useRef<Pin | null>(null)
  const ref = useCallback((scroller: HTMLElement | Window | null) => {
    pin.current?.release()
    pin.current = scroller instanceof HTMLElement ? pinTo(scroller) : null
  }, [])
  return useMemo(() => ({ ref, stick: () => pin.current?.hold() }), [ref])
}

function pinTo(scroller: HTMLElement): Pin {
  let isAtEnd = true
  let height = scroller.clientHeight
  const hold = () => {
    isAtEnd = true
    scroller.scrollTop = scroller.scrollHeight
  }
  // A box that shrinks keeps what is at its top and fires no scroll: so this is what held before it shrank.
  const scrolled = () => {
    isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= nearEndPx
  }
  const resized = new ResizeObserver(() => {
    if (isAtEnd && scroller.clientHeight < height) hold()
    height = scroller.clientHeight
  })
  scroller.addEventListener('scroll', scrolled, { passive: true })
  resized.observe(scroller)
  return {
    hold,
    release() {
      scroller.removeEventListener('scroll', scrolled)
      resized.disconnect()
    },
  }
}
