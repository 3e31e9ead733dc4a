import { withoutAccents } from '../../base/accents.ts'

/** Words that, as a whole message, mean that a person wants no marketing; without accents, in capitals. */
const words: ReadonlySet<string> = new Set([
  'PARAR',
  'PARE',
  'SAIR',
  'STOP',
  'CANCELAR',
  'CANCELAR INSCRICAO',
  'DESCADASTRAR',
  'DESINSCREVER',
  'REMOVER',
  'NAO QUERO RECEBER',
  'UNSUBSCRIBE',
  'BAJA',
])

const longest = Math.max(...[...words].map((word) => word.length))

/** rule: opt-outs 5. Whether a message is such a word and nothing else, whatever its case, accents, blanks around it and a full stop after it. */
export function isOptOutWord(text: string): boolean {
  // A word with accents may have twice its letters; nothing else needs a closer look.
  if (text.length > 4 * longest) return false
  const plain = withoutAccents(text)
    .trim()
    .replace(/[.!]+$/, '')
    .trim()
    .replaceAll(/\s+/g, ' ')
  return words.has(plain.toUpperCase())
}
