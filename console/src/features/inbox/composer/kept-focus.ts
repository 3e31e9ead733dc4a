let isWanted = false

/** Who writes and goes to another conversation goes on writing there: its composer takes the focus. */
export function keepFocusInComposer(): void {
  isWanted = document.activeElement?.closest('[data-composer]') != null
}

/** Whether the composer that has just come is to take the focus; asked once. */
export function takeKeptFocus(): boolean {
  const was = isWanted
  isWanted = false
  return was
}

/** Leads out of what is written, to the row of the open conversation where there is a list: the keys of the inbox work from there. */
export function leaveComposer(): void {
  const row = document.querySelector<HTMLElement>('a[data-row][data-open]')
  if (row !== null) row.focus({ preventScroll: true })
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}
