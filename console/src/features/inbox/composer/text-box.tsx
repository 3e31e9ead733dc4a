import { Textarea } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { AriaAttributes, ClipboardEvent, KeyboardEvent, Ref } from 'react'
import { leaveComposer } from './kept-focus.ts'

type Props = {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  onSend: () => void
  /** Looks at a key first; true: it was for something else. */
  onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean
  onFiles?: (files: File[]) => void
  inputRef: Ref<HTMLTextAreaElement>
  aria?: AriaAttributes
}

/**
 * A text area that grows with its text. Enter sends and Shift+Enter begins a line; on a touch screen Enter begins a line. Escape leads out of it.
 */
export function TextBox({ label, placeholder, value, onChange, onSend, onKey, onFiles, inputRef, aria }: Props) {
  const isTouch = useMediaQuery('(pointer: coarse)') ?? false
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter while a letter is being composed chooses that letter.
    if (event.nativeEvent.isComposing || onKey?.(event)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      leaveComposer()
      return
    }
    if (event.key !== 'Enter' || event.shiftKey || isTouch) return
    event.preventDefault()
    onSend()
  }
  const onPaste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Office programs put a picture of the copied text beside it: the text is meant.
    if (onFiles === undefined || files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    onFiles(files)
  }
  return (
    <Textarea
      ref={inputRef}
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      autosize
      minRows={1}
      maxRows={8}
      variant="unstyled"
      enterKeyHint={isTouch ? 'enter' : 'send'}
      styles={{
        input: { fontSize: 15, padding: '8px 4px', '--input-placeholder-color': 'var(--muted)', '--input-color': 'inherit' },
      }}
      {...aria}
    />
  )
}

/** Puts a text where the cursor stands, and the cursor behind it. */
export function insertAtCursor(input: HTMLTextAreaElement | null, value: string, text: string): string {
  const start = input?.selectionStart ?? value.length
  const end = input?.selectionEnd ?? value.length
  requestAnimationFrame(() => {
    input?.focus()
    input?.setSelectionRange(start + text.length, start + text.length)
  })
  return value.slice(0, start) + text + value.slice(end)
}
