/** A piece of a text as people write it on WhatsApp. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mono'; text: string; isBlock: boolean }
  | { kind: 'bold' | 'italic' | 'strike' | 'quote'; pieces: Piece[] }
  /** `first` is the number that a numbered list begins with; null: bullets. */
  | { kind: 'list'; first: number | null; items: Piece[][] }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof marks

/** Marks within marks within marks: nobody writes more, and nobody is to make us dig. */
const depthMax = 4

/**
 * *bold*, _italic_, ~strike~, ```mono``` and `mono`, as the app shows them: a mark counts at the edge of a word only, around something, and
 * not over the end of a line. Lines that begin with `> `, `- `, `* ` or `1. ` are quotes and lists. Links are those of http and https, and
 * names that begin with www. A stranger wrote the text: the time grows with its length, and no faster. Pure.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const found of text.matchAll(/```([\s\S]+?)```/g)) {
    pieces.push(...inBlocks(text.slice(from, found.index), from === 0))
    pieces.push({ kind: 'mono', text: found[1] ?? '', isBlock: true })
    from = found.index + found[0].length
  }
  pieces.push(...inBlocks(text.slice(from), from === 0))
  return pieces
}

/** Lines of one kind that stand together. */
type Block = { kind: 'plain' | 'quote' | 'bullets' | 'numbers'; lines: string[]; first: number }

const lineStarts = [
  ['quote', /^> +(?=\S)/],
  ['bullets', /^\s{0,3}[-*] +(?=\S)/],
  ['numbers', /^\s{0,3}(\d{1,3})\. +(?=\S)/],
] as const

/** A stretch between fixed-width blocks. `startsLine`: its first line is a whole one. */
function inBlocks(text: string, startsLine: boolean): Piece[] {
  const blocks: Block[] = []
  for (const [i, line] of text.split('\n').entries()) {
    const [kind, found] = i === 0 && !startsLine ? (['plain', null] as const) : startOf(line)
    const first = Number(found?.[1] ?? 0)
    const before = blocks.at(-1)
    const words = found === null ? line : line.slice(found[0].length)
    // A number out of turn begins a list of its own: it is shown as it was written.
    if (before?.kind === kind && (kind !== 'numbers' || first === before.first + before.lines.length)) before.lines.push(words)
    else blocks.push({ kind, lines: [words], first })
  }
  return blocks.flatMap(pieceOfBlock)
}

function startOf(line: string): readonly [Block['kind'], RegExpExecArray | null] {
  for (const [kind, pattern] of lineStarts) {
    const found = pattern.exec(line)
    if (found !== null) return [kind, found]
  }
  return ['plain', null]
}

function pieceOfBlock({ kind, lines, first }: Block): Piece[] {
  if (kind === 'plain') return marked(lines.join('\n'), 0)
  if (kind === 'quote') return [{ kind, pieces: marked(lines.join('\n'), 0) }]
  return [{ kind: 'list', first: kind === 'numbers' ? first : null, items: lines.map((line) => marked(line, 0)) }]
}

function marked(text: string, depth: number): Piece[] {
  const pieces: Piece[] = []
  const marksOf = createMarks(text)
  const linkAt = createLinks(text)
  let plain = 0
  let i = 0
  while (i < text.length) {
    const end = depth < depthMax ? marksOf.endOf(i) : null
    if (end === null) {
      // A link may hold marks of its own: it is passed over as a whole.
      i += linkAt(i)?.length ?? 1
      continue
    }
    pieces.push(...linked(text.slice(plain, i)))
    const inside = text.slice(i + 1, end)
    const mark = text[i]
    if (mark === '`') pieces.push({ kind: 'mono', text: inside, isBlock: false })
    else pieces.push({ kind: marks[mark as Mark], pieces: marked(inside, depth + 1) })
    i = end + 1
    plain = i
  }
  pieces.push(...linked(text.slice(plain)))
  return pieces
}

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char)
const isSpace = (char: string | undefined) => char === undefined || /\s/.test(char)

/**
 * A place that is looked for from one place on. It is asked with places that only grow, and what it found stays good until they pass it:
 * so that however often it is asked, it reads the text once.
 */
function createNext(find: (from: number) => number): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) found = find(from)
    return found
  }
}

/** Where the marks of a text close. */
function createMarks(text: string): { endOf(start: number): number | null } {
  const nextLine = createNext((from) => indexOr(text.length, text.indexOf('\n', from)))
  const closings = new Map([...Object.keys(marks), '`'].map((mark) => [mark, createNext((from) => closingFrom(text, mark, from))]))
  return {
    /** Where the mark that opens here closes; null: none opens here. */
    endOf(start) {
      const mark = text[start] ?? ''
      const closing = closings.get(mark)
      if (closing === undefined || isWord(text[start - 1]) || isSpace(text[start + 1]) || text[start + 1] === mark) return null
      const end = closing(start + 2)
      return end < nextLine(start + 1) ? end : null
    },
  }
}

function closingFrom(text: string, mark: string, from: number): number {
  for (let i = text.indexOf(mark, from); i !== -1; i = text.indexOf(mark, i + 1)) {
    if (!isSpace(text[i - 1]) && !isWord(text[i + 1])) return i
  }
  return text.length
}

const indexOr = (none: number, index: number) => (index === -1 ? none : index)

const linkStart = /https?:\/\/|www\./iy
const linkEnd = /[\s<>"'`]/g
/** What ends a sentence is not part of a link. */
const trailing = new Set('.,;:!?)]}*_~')

/** Finds the link that begins at a place; places only grow. */
function createLinks(text: string): (start: number) => string | null {
  const runEnd = createNext((from) => {
    linkEnd.lastIndex = from
    return linkEnd.exec(text)?.index ?? text.length
  })
  let [trimmedOf, trimmed] = [-1, -1]
  return (start) => {
    linkStart.lastIndex = start
    if (!linkStart.test(text) || isWord(text[start - 1])) return null
    const end = runEnd(start)
    if (trimmedOf !== end) [trimmedOf, trimmed] = [end, trimmedEnd(text, start, end)]
    return trimmed - start < linkCharsMin ? null : text.slice(start, trimmed)
  }
}

const linkCharsMin = 5

function trimmedEnd(text: string, start: number, end: number): number {
  let trimmed = end
  while (trimmed > start && trailing.has(text[trimmed - 1] ?? '')) trimmed -= 1
  return trimmed
}

function linked(text: string): Piece[] {
  const pieces: Piece[] = []
  const linkAt = createLinks(text)
  let plain = 0
  let i = 0
  while (i < text.length) {
    const found = linkAt(i)
    const href = found === null ? null : hrefOf(found)
    if (found !== null && href !== null) {
      if (i > plain) pieces.push({ kind: 'text', text: text.slice(plain, i) })
      pieces.push({ kind: 'link', text: found, href })
      plain = i + found.length
    }
    // One that leads nowhere is passed over as a whole too, or each beginning inside of it would be tried.
    i += found?.length ?? 1
  }
  if (plain < text.length) pieces.push({ kind: 'text', text: text.slice(plain) })
  return pieces
}

/** Only addresses of the web: nothing that runs. */
function hrefOf(text: string): string | null {
  const parsed = URL.parse(/^www\./i.test(text) ? `https://${text}` : text)
  return parsed !== null && (parsed.protocol === 'https:' || parsed.protocol === 'http:') ? parsed.href : null
}

/** The words alone, in one line. */
export function withoutMarks(text: string): string {
  return piecesOf(text).map(wordsOf).join('').replaceAll(/\s+/g, ' ').trim()
}

function wordsOf(piece: Piece): string {
  if (piece.kind === 'quote') return ` ${piece.pieces.map(wordsOf).join('')} `
  if (piece.kind === 'list') return ` ${piece.items.map((item) => item.map(wordsOf).join('')).join(' · ')} `
  return 'pieces' in piece ? piece.pieces.map(wordsOf).join('') : piece.text
}
