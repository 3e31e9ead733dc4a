import { Anchor, Code } from '@mantine/core'
import { Fragment, memo, type ReactNode } from 'react'
import { type Piece, piecesOf } from './whatsapp-text.ts'

type Props = {
  text: string
  /** Shows a stretch that has no more marks in it; as it is when left out. */
  plain?: (text: string) => ReactNode
}

/** A text as WhatsApp shows it: *bold*, _italic_, ~struck~ and ```fixed width```, lines kept. Links open only when they are clicked. */
export const FormattedText = memo(function FormattedText({ text, plain = asItIs }: Props) {
  return (
    <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <Pieces pieces={piecesOf(text)} plain={plain} />
    </span>
  )
})

const asItIs = (text: string): ReactNode => text

function Pieces({ pieces, plain }: { pieces: readonly Piece[]; plain: (text: string) => ReactNode }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
  return pieces.map((piece, i) => <Fragment key={i}>{shown(piece, plain)}</Fragment>)
}

function shown(piece: Piece, plain: (text: string) => ReactNode): ReactNode {
  switch (piece.kind) {
    case 'text':
      return plain(piece.text)
    case 'link':
      return (
        <Anchor href={piece.href} target="_blank" rel="noreferrer noopener nofollow" inherit underline="always" c="inherit">
          {piece.text}
        </Anchor>
      )
    case 'mono':
      return (
        <Code block={piece.isBlock} fz="0.92em" c="inherit" bg="color-mix(in srgb, var(--mantine-color-text) 7%, transparent)">
          {plain(piece.text)}
        </Code>
      )
    case 'bold':
      return (
        <strong>
          <Pieces pieces={piece.pieces} plain={plain} />
        </strong>
      )
    case 'italic':
      return (
        <em>
          <Pieces pieces={piece.pieces} plain={plain} />
        </em>
      )
    case 'strike':
      return (
        <s>
          <Pieces pieces={piece.pieces} plain={plain} />
        </s>
      )
  }
}
