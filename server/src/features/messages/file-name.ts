import { limits } from '../../limits.ts'

/** Control characters, and those that turn the direction of what follows. */
const unseen = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
/** No name of a kind of file is longer. */
const endingBytesMax = 20

/**
 * rule: receive 18. The name of a file that somebody else has given it, as one that no folder and no header misunderstands: its last part,
 * without control characters, quotes and `..`, in at most 240 bytes with its ending kept. Null where nothing is left.
 */
export function fileNameOf(given: string): string | null {
  const visible = given.replaceAll(unseen, '').replaceAll(/["'`]/g, '')
  const last = visible.split(/[\\/]/).findLast((part) => part.trim() !== '') ?? ''
  const name = shortened(last.replaceAll(/\.{2,}/g, '.').trim())
  return /[^.\s]/.test(name) ? name : null
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= limits.fileNameCharsMax) return name
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && Buffer.byteLength(name.slice(dot)) <= endingBytesMax ? name.slice(dot) : ''
  return cut(name.slice(0, name.length - ending.length), limits.fileNameCharsMax - Buffer.byteLength(ending)).trimEnd() + ending
}

/** As many whole characters as so many bytes hold. */
function cut(text: string, bytes: number): string {
  let kept = ''
  let left = bytes
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    kept += character
  }
  return kept
}
