import { Fragment, type ReactNode } from 'react'

const marks = [
  [/```([^`]+)```/, (children: ReactNode) => <code>{children}</code>],
  [/(?<![\p{L}\p{N}])\*(?=\S)([^*\n]*\S)\*(?![\p{L}\p{N}])/u, (children: ReactNode) => <strong>{children}</strong>],
  [/(?<![\p{L}\p{N}])_(?=\S)([^_\n]*\S)_(?![\p{L}\p{N}])/u, (children: ReactNode) => <em>{children}</em>],
  [/(?<![\p{L}\p{N}])~(?=\S)([^~\n]*\S)~(?![\p{L}\p{N}])/u, (children: ReactNode) => <s>{children}</s>],
] as const

type Props = {
  text: string
  /** Shows a stretch that has no more marks in it; as it is when left out. */
  plain?: (text: string) => ReactNode
}

/** A text as WhatsApp shows it: *bold*, _italic_, ~struck~ and ```fixed width```, lines kept. */
export function FormattedText({ text, plain = (each) => each }: Props) {
  return <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{format(text, plain)}</span>
}

/** Marks within marks are found too; what is fixed in width is taken as it is. */
function format(text: string, plain: (text: string) => ReactNode): ReactNode {
  const [first] = marks
    .flatMap(([pattern, wrap]) => {
      const found = pattern.exec(text)
      return found === null ? [] : [{ at: found.index, whole: found[0], inside: found[1] ?? '', wrap }]
    })
    .toSorted((one, other) => one.at - other.at)
  if (first === undefined) return plain(text)
  const inside = first.whole.startsWith('```') ? plain(first.inside) : format(first.inside, plain)
  return (
    <Fragment>
      {first.at === 0 ? null : plain(text.slice(0, first.at))}
      {first.wrap(inside)}
      {format(text.slice(first.at + first.whole.length), plain)}
    </Fragment>
  )
}
