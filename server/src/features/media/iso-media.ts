import type { FileHandle } from 'node:fs/promises'

/** `handler` is `vide` or `soun` for what is seen and heard. A codec is the name of its sample entry; AAC is `mp4a.40`. */
export type Track = { handler: string; codecs: readonly string[] }

/** More boxes at the top than this, or a larger list of tracks, is no file that somebody sends. */
const topBoxesMax = 10_000
const moovBytesMax = 8 * 1024 * 1024
const headerBytes = 16

/** The tracks of an ISO media file (MP4, M4A, 3GP; ISO/IEC 14496-12), or null when it has no readable list of them. */
export async function readTracks(file: FileHandle, sizeBytes: number): Promise<Track[] | null> {
  const moov = await readMoov(file, sizeBytes)
  if (moov === null) return null
  return boxesIn(moov)
    .filter((box) => box.type === 'trak')
    .map(({ body }) => ({ handler: handlerOf(body), codecs: codecsOf(body) }))
}

/** Seeks from box to box: the list of tracks often stands behind all the data. */
async function readMoov(file: FileHandle, sizeBytes: number): Promise<Buffer | null> {
  let at = 0
  for (let boxes = 0; boxes < topBoxesMax && at + 8 <= sizeBytes; boxes += 1) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headerBytes), 0, headerBytes, at)
    const head = bytesRead < 8 ? null : headOf(buffer.subarray(0, bytesRead), sizeBytes - at)
    if (head === null) return null
    if (head.type === 'moov') return readBody(file, at + head.headerBytes, head.bytes - head.headerBytes)
    at += head.bytes
  }
  return null
}

async function readBody(file: FileHandle, at: number, bytes: number): Promise<Buffer | null> {
  if (bytes > moovBytesMax) return null
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, at)
  return bytesRead === bytes ? buffer : null
}

type Head = { type: string; bytes: number; headerBytes: number }

/** Null when the box does not fit into what is left. */
function headOf(buffer: Buffer, left: number): Head | null {
  if (buffer.length < 8) return null
  const type = buffer.toString('latin1', 4, 8)
  const written = buffer.readUInt32BE(0)
  // 1: the size follows in 64 bits; 0: to the end.
  if (written === 1 && buffer.length < headerBytes) return null
  const bytes = written === 1 ? Number(buffer.readBigUInt64BE(8)) : written === 0 ? left : written
  const own = written === 1 ? headerBytes : 8
  return bytes < own || bytes > left ? null : { type, bytes, headerBytes: own }
}

type Box = { type: string; body: Buffer }

/** The boxes that stand one after the other in a buffer, up to the first that is broken. */
function boxesIn(buffer: Buffer): Box[] {
  const found: Box[] = []
  for (let at = 0; at + 8 <= buffer.length; ) {
    const head = headOf(buffer.subarray(at, at + headerBytes), buffer.length - at)
    if (head === null) break
    found.push({ type: head.type, body: buffer.subarray(at + head.headerBytes, at + head.bytes) })
    at += head.bytes
  }
  return found
}

/** The box at the end of a path of types; an empty one when there is none. */
function boxAt(buffer: Buffer, path: readonly string[]): Buffer {
  return path.reduce((inside, type) => boxesIn(inside).find((box) => box.type === type)?.body ?? Buffer.alloc(0), buffer)
}

const handlerOf = (trak: Buffer) => boxAt(trak, ['mdia', 'hdlr']).toString('latin1', 8, 12)

function codecsOf(trak: Buffer): string[] {
  // Version, flags and the number of entries come first.
  const entries = boxesIn(boxAt(trak, ['mdia', 'minf', 'stbl', 'stsd']).subarray(8))
  return entries.map(({ type, body }) => (type === 'mp4a' ? `mp4a.${objectTypeOf(body)}` : type))
}

/** The object type in hex: 40 is AAC, 6b is MP3 inside of an MP4. Its box stands at different depths in different versions. */
function objectTypeOf(entry: Buffer): string {
  const esds = entry.indexOf('esds', 0, 'latin1')
  const streamDescriptor = esds === -1 ? null : descriptorAt(entry, esds + 8, 0x03)
  if (streamDescriptor === null) return 'unknown'
  const flags = entry[streamDescriptor + 2] ?? 0
  const url = (flags & 0x40) === 0 ? 0 : 1 + (entry[streamDescriptor + 3 + (flags & 0x80 ? 2 : 0)] ?? 0)
  const config = descriptorAt(entry, streamDescriptor + 3 + (flags & 0x80 ? 2 : 0) + url + (flags & 0x20 ? 2 : 0), 0x04)
  return config === null ? 'unknown' : (entry[config] ?? 0).toString(16).padStart(2, '0')
}

/** Where the content of a descriptor with this tag begins; its length is written in up to four bytes of seven bits. */
function descriptorAt(buffer: Buffer, at: number, tag: number): number | null {
  if (buffer[at] !== tag) return null
  for (let i = 1; i <= 4; i += 1) if (((buffer[at + i] ?? 0x80) & 0x80) === 0) return at + i + 1
  return null
}
