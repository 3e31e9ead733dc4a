import { Mark } from '@mantine/core'
import { Fragment } from 'react'
import { markedParts } from './marked-parts.ts'

/** A text in which what was asked for stands out. */
export function Marked({ text, asked }: { text: string; asked: string }) {
  return markedParts(text, asked).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
    <Fragment key={i}>{part.isHit ? <Mark>{part.text}</Mark> : part.text}</Fragment>
  ))
}
