import { Anchor, Code } from '@mantine/core'
import { Fragment, memo, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Piece, piecesOf } from './whatsapp-text.ts'

type Props = {
  text: string
  /** Shows a stretch that has no more marks in it; as it is when left out. */
  plain?: (text: string) => ReactNode
}

/** What the platform takes as one text. A person may write sixteen times as much, and thousands of marks in it. */
const charsShown = 4_096
/** How much longer the text becomes each time that more is asked for. */
const factor = 4

/**
 * A text as WhatsApp shows it: *bold*, _italic_, ~struck~ and ```fixed width```, quotes and lists, lines kept. It runs in the direction of
 * its own language. Links open only when they are clicked. The first 4,096 characters, and more when that is asked for.
 */
export const FormattedText = memo(function FormattedText({ text, plain = asItIs }: Props) {
  const { t } = useTranslation('app')
  const [chars, setChars] = useState(charsShown)
  return (
    <div dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      <Pieces pieces={piecesOf(text.slice(0, chars).toWellFormed())} plain={plain} />
      {text.length <= chars ? null : (
        <>
          {'… '}
          <Anchor component="button" type="button" inherit underline="always" c="inherit" onClick={() => setChars(chars * factor)}>
            {t('load_more')}
          </Anchor>
        </>
      )}
    </div>
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
    case 'quote':
      return (
        <blockquote className="quoted">
          <Pieces pieces={piece.pieces} plain={plain} />
        </blockquote>
      )
    case 'list':
      return <List first={piece.first} items={piece.items} plain={plain} />
    case 'strike':
      return (
        <s>
          <Pieces pieces={piece.pieces} plain={plain} />
        </s>
      )
  }
}

type ListProps = { first: number | null; items: readonly (readonly Piece[])[]; plain: (text: string) => ReactNode }

function List({ first, items, plain }: ListProps) {
  const lines = items.map((item, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
    <li key={i}>
      <Pieces pieces={item} plain={plain} />
    </li>
  ))
  return first === null ? (
    <ul className="listed">{lines}</ul>
  ) : (
    <ol className="listed" start={first}>
      {lines}
    </ol>
  )
}
