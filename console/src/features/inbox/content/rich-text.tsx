import { Anchor, Code } from '@mantine/core'
import { Fragment, memo } from 'react'
import classes from '../inbox.module.css'
import { type Piece, piecesOf } from './whatsapp-text.ts'

/** A text as the app of the person shows it; links open only when they are clicked. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  return (
    <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <Pieces pieces={piecesOf(text)} />
    </span>
  )
})

function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
  return pieces.map((piece, i) => <Fragment key={i}>{shown(piece)}</Fragment>)
}

function shown(piece: Piece) {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'link':
      return (
        <Anchor href={piece.href} target="_blank" rel="noreferrer noopener nofollow" inherit underline="always" c="inherit">
          {piece.text}
        </Anchor>
      )
    case 'mono':
      return (
        <Code block={piece.isBlock} fz="0.92em" className={classes.mono ?? ''}>
          {piece.text}
        </Code>
      )
    case 'bold':
      return (
        <strong>
          <Pieces pieces={piece.pieces} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <Pieces pieces={piece.pieces} />
        </em>
      )
    case 'strike':
      return (
        <s>
          <Pieces pieces={piece.pieces} />
        </s>
      )
  }
}
