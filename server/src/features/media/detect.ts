import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { ok, type Result, refused } from '../../base/result.ts'
import { codecWords } from './codec-names.ts'
import { readRootNames } from './compound-file.ts'
import { readTracks, type Track } from './iso-media.ts'
import type { FileKind, MediaKind } from './media.ts'

/** Why a file is none that can be sent: the rest of a sentence about it. */
export type NotMedia = string

const asTheyAre: Readonly<Record<string, MediaKind>> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/mpeg': 'audio',
  'audio/ogg; codecs=opus': 'audio',
  'application/pdf': 'document',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'document',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'document',
}
const isoMedia = new Set(['video/mp4', 'video/3gpp', 'video/x-m4v', 'audio/mp4', 'audio/x-m4a'])
/** Has a signature of its own, and is text all the same. */
const written = /^(text\/|image\/svg|application\/(xml|json|x-subrip)|.*\+xml$)/

const taken =
  'The upstream platform takes JPEG and PNG images, AAC, AMR, MP3, M4A and OGG (Opus) audio, MP4 and 3GP videos (H.264 with AAC), PDF, Word, Excel, PowerPoint and plain text documents, and WebP stickers.'

/** What a file is, read from its bytes alone; refused: why upstream would not take it. The file is not empty. */
// rule: media 1
export async function detectFile(path: string, sizeBytes: number): Promise<Result<FileKind, NotMedia>> {
  // Loaded with the first file: it takes a tenth of a second.
  const { fileTypeFromFile } = await import('file-type')
  // An animated PNG is a PNG to whoever does not know it.
  const mimeType = ((await fileTypeFromFile(path))?.mime ?? '').replace('image/apng', 'image/png')
  const kind = asTheyAre[mimeType]
  if (kind !== undefined) return ok({ kind, animated: false, mimeType })
  if (mimeType === 'image/webp') return withFile(path, sticker)
  if (mimeType === 'application/x-cfb') return withFile(path, office)
  if (isoMedia.has(mimeType)) return withFile(path, (file) => playable(file, sizeBytes, mimeType))
  if (mimeType === '' || written.test(mimeType)) return text(path)
  return refused(`is ${mimeType}${mimeType === 'audio/ogg' ? ' without Opus' : ''}. ${taken}`)
}

async function withFile<Value>(path: string, read: (file: FileHandle) => Promise<Value>): Promise<Value> {
  const file = await open(path, 'r')
  try {
    return await read(file)
  } finally {
    await file.close()
  }
}

/** An extended header says whether it moves: https://developers.google.com/speed/webp/docs/riff_container. */
async function sticker(file: FileHandle): Promise<Result<FileKind, NotMedia>> {
  const { buffer } = await file.read(Buffer.alloc(21), 0, 21, 0)
  const animated = buffer.toString('latin1', 12, 16) === 'VP8X' && ((buffer[20] ?? 0) & 0x02) !== 0
  return ok({ kind: 'sticker', animated, mimeType: 'image/webp' })
}

/** The old form of Office documents is a small file system, which other programs use too. */
async function office(file: FileHandle): Promise<Result<FileKind, NotMedia>> {
  const names = await readRootNames(file)
  const document = (mimeType: string) => ok({ kind: 'document' as const, animated: false, mimeType })
  if (names.has('WordDocument')) return document('application/msword')
  if (names.has('Workbook') || names.has('Book')) return document('application/vnd.ms-excel')
  if (names.has('PowerPoint Document')) return document('application/vnd.ms-powerpoint')
  return refused(`is a compound file, but no Word, Excel or PowerPoint document. ${taken}`)
}

/** MP4 and its relatives: what counts is what is inside, not what the file calls itself. */
async function playable(file: FileHandle, sizeBytes: number, mimeType: string): Promise<Result<FileKind, NotMedia>> {
  const tracks = await readTracks(file, sizeBytes)
  if (tracks === null) return refused(`is ${mimeType}, but its list of tracks cannot be read.`)
  const [video, audio] = [tracks.filter(isVideo), tracks.filter(isAudio)]
  const foreign = [...video, ...audio].flatMap((track) => track.codecs).find((codec) => !/^(avc[13]|mp4a\.40)$/.test(codec))
  if (foreign !== undefined)
    return refused(`is ${mimeType} with ${codecWords(foreign)}, where only H.264 (avc1) and AAC (mp4a.40) are played.`)
  if (audio.length > 1) return refused(`is ${mimeType} with ${audio.length} audio tracks, where at most one is played.`)
  if (video.length > 0) return ok({ kind: 'video', animated: false, mimeType: mimeType === 'video/3gpp' ? mimeType : 'video/mp4' })
  if (audio.length > 0) return ok({ kind: 'audio', animated: false, mimeType: 'audio/mp4' })
  return refused(`is ${mimeType} without any video or audio.`)
}

const isVideo = (track: Track) => track.handler === 'vide'
const isAudio = (track: Track) => track.handler === 'soun'

/** Anything that is UTF-8 throughout, HTML and CSV too: it is served as plain text. */
async function text(path: string): Promise<Result<FileKind, NotMedia>> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const unknown = refused(`is of a kind that is not known, and not plain text in UTF-8. ${taken}`)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (chunk.includes(0) || !decodes(decoder, chunk)) return unknown
  }
  return decodes(decoder, null) ? ok({ kind: 'document', animated: false, mimeType: 'text/plain' }) : unknown
}

/** Null: the end, where no character may be left half. */
function decodes(decoder: InstanceType<typeof TextDecoder>, chunk: Buffer | null): boolean {
  try {
    if (chunk === null) decoder.decode()
    else decoder.decode(chunk, { stream: true })
    return true
  } catch {
    return false
  }
}
