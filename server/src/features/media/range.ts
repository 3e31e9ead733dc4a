import type { ByteRange } from '../../platform/storage/storage.ts'

export type Wanted = { kind: 'all' } | { kind: 'part'; range: ByteRange } | { kind: 'none' }

/**
 * Which bytes a Range header asks for (RFC 9110, 14). Several ranges, and what is no range of bytes, are passed over: all of the file is a
 * right answer to them. `none`: it lies behind the end.
 */
export function wantedBytes(header: string | undefined, sizeBytes: number): Wanted {
  const [, from = '', to = ''] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === '' && to === '') return { kind: 'all' }
  const last = sizeBytes - 1
  const start = from === '' ? Math.max(0, sizeBytes - Number(to)) : Number(from)
  const end = from === '' || to === '' ? last : Math.min(Number(to), last)
  if (from !== '' && to !== '' && Number(to) < start) return { kind: 'all' }
  return start > last ? { kind: 'none' } : { kind: 'part', range: { start, end } }
}
