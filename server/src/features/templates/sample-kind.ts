/** What a header's sample may be, by its first bytes. */
const kinds = [
  { mimeType: 'image/jpeg', bytesMax: 5 * 1024 ** 2, fits: (head: Buffer) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { mimeType: 'image/png', bytesMax: 5 * 1024 ** 2, fits: (head: Buffer) => head.subarray(1, 4).toString('latin1') === 'PNG' },
  { mimeType: 'video/mp4', bytesMax: 16 * 1024 ** 2, fits: (head: Buffer) => head.subarray(4, 8).toString('latin1') === 'ftyp' },
  { mimeType: 'application/pdf', bytesMax: 16 * 1024 ** 2, fits: (head: Buffer) => head.subarray(0, 5).toString('latin1') === '%PDF-' },
] as const

/** The largest sample of any kind. */
export const sampleBytesMax = 16 * 1024 ** 2

/** The first bytes that the kind is told by. */
export const headBytes = 16

/** The kind of a sample and how large it may be; null: none that upstream takes. */
export function sampleKindOf(head: Buffer): { mimeType: string; bytesMax: number } | null {
  return kinds.find(({ fits }) => fits(head)) ?? null
}
