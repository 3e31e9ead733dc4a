/** A piece of a text as people write it on WhatsApp. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mono'; text: string; isBlock: boolean }
  | { kind: 'bold' | 'italic' | 'strike'; pieces: Piece[] }

const marks = { '*': 'bold', _: 'italic', '~': 'strike' } as const
type Mark = keyof typeof marks

/** Marks within marks within marks: nobody writes more, and nobody is to make us dig. */
const depthMax = 4

/**
 * *bold*, _italic_, ~strike~, ```mono``` and `mono`, as the app shows them: a mark counts at the edge of a word only, around something, and
 * not over the end of a line. Links are those of http and https, and names that begin with www. Pure.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const found of text.matchAll(/```([\s\S]+?)```/g)) {
    pieces.push(...marked(text.slice(from, found.index), 0))
    pieces.push({ kind: 'mono', text: found[1] ?? '', isBlock: true })
    from = found.index + found[0].length
  }
  pieces.push(...marked(text.slice(from), 0))
  return pieces
}

function marked(text: string, depth: number): Piece[] {
  const pieces: Piece[] = []
  let plain = 0
  let i = 0
  while (i < text.length) {
    const end = depth < depthMax ? endOfMark(text, i) : null
    if (end === null) {
      // A link may hold marks of its own: it is passed over as a whole.
      i += linkAt(text, i)?.length ?? 1
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

/** Where the mark that opens here closes; null: none opens here. */
function endOfMark(text: string, start: number): number | null {
  const mark = text[start]
  if (mark === undefined || !(mark in marks || mark === '`')) return null
  if (isWord(text[start - 1]) || isSpace(text[start + 1]) || text[start + 1] === mark) return null
  for (let i = start + 2; i < text.length; i += 1) {
    if (text[i] === '\n') return null
    if (text[i] === mark && !isSpace(text[i - 1]) && !isWord(text[i + 1])) return i
  }
  return null
}

const link = /(?:https?:\/\/|www\.)[^\s<>"'`]+/iy

/** The link that begins here; what ends a sentence is not part of it. */
function linkAt(text: string, start: number): string | null {
  if (isWord(text[start - 1])) return null
  link.lastIndex = start
  const found = link.exec(text)?.[0].replace(/[.,;:!?)\]}*_~]+$/, '')
  return found === undefined || found.length < 5 ? null : found
}

function linked(text: string): Piece[] {
  const pieces: Piece[] = []
  let plain = 0
  let i = 0
  while (i < text.length) {
    const found = linkAt(text, i)
    const href = found === null ? null : hrefOf(found)
    if (found === null || href === null) {
      i += 1
      continue
    }
    if (i > plain) pieces.push({ kind: 'text', text: text.slice(plain, i) })
    pieces.push({ kind: 'link', text: found, href })
    i += found.length
    plain = i
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
  return piecesOf(text).map(wordsOf).join('').replaceAll(/\s+/g, ' ')
}

function wordsOf(piece: Piece): string {
  return 'pieces' in piece ? piece.pieces.map(wordsOf).join('') : piece.text
}
