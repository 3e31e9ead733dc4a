import { brasiliaDay, nextBrasiliaMidnight } from '../../base/brasilia.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { limits } from '../../limits.ts'
import type { FileKind, MediaKind } from './media.ts'

const kindWords: Readonly<Record<MediaKind, string>> = {
  image: 'An image',
  audio: 'An audio file',
  video: 'A video',
  document: 'A document',
  sticker: 'A sticker',
}

/** How large a file of this kind may be in a message. */
export function sendBytesMax({ kind, animated }: Pick<FileKind, 'kind' | 'animated'>): number {
  return limits.mediaBytesMax[kind === 'sticker' && animated ? 'animatedSticker' : kind]
}

/** How large it may be in an upload. */
function uploadBytesMax(file: Pick<FileKind, 'kind' | 'animated'>): number {
  return file.kind === 'document' ? limits.uploadedDocumentBytesMax : sendBytesMax(file)
}

/** The largest upload of any kind. */
export const uploadBytesMaxOfAll = limits.uploadedDocumentBytesMax

/** Why an upload of this kind and size is not taken, or null. */
// rule: media 2
export function sizeRefusal(file: FileKind, sizeBytes: number): Refusal | null {
  const max = uploadBytesMax(file)
  if (sizeBytes <= max) return null
  const animated = file.animated ? 'An animated sticker' : kindWords[file.kind]
  return invalidField(
    'file',
    because('file_too_large', `${animated} (${file.mimeType}) has at most ${sizeWords(max)}; this one has ${sizeBytes} bytes.`, {
      max: sizeWords(max),
    }),
  )
}

/** What is too large to be of any kind. */
export function sizeRefusalOfAll(): Refusal {
  return invalidField(
    'file',
    because('file_too_large', `The file is too large: an upload has at most ${sizeWords(uploadBytesMaxOfAll)}, and most kinds less.`, {
      max: sizeWords(uploadBytesMaxOfAll),
    }),
  )
}

/** Why a name is not taken, or null. */
export function nameRefusal(fileName: string | null): Refusal | null {
  if (fileName === null) return null
  if ([...fileName].length > limits.fileNameCharsMax)
    return invalidField(
      'file',
      because('file_name_long', `The name of the file has at most ${limits.fileNameCharsMax} characters.`, {
        max: limits.fileNameCharsMax,
      }),
    )
  // rule: requests 8. So the form's reader writes bytes that are no UTF-8.
  if (fileName.includes('\ufffd')) return invalidField('file', because('file_name_strange', 'The name of the file is not UTF-8.'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\u0000-\u001f\u007f]/.test(fileName)
    ? invalidField('file', because('file_name_strange', 'The name of the file must not contain control characters.'))
    : null
}

/** The day in which an upload counts. */
export const uploadDay = brasiliaDay

/** Whether so many new bytes still fit into a day that has had so many. */
// rule: media 4
export function fitsIntoDay(bytesBefore: number, newBytes: number): boolean {
  return bytesBefore + newBytes <= limits.uploadBytesPerDayMax
}

/** What an upload beyond the day's bytes is told, and when it may come again. */
export function dayRefusal(now: Date): { refusal: Refusal; retryAfterSeconds: number } {
  const retryAfterSeconds = Math.max(1, Math.ceil((nextBrasiliaMidnight(now).getTime() - now.getTime()) / 1000))
  const words = `An account may upload ${sizeWords(limits.uploadBytesPerDayMax)} of new files a day; the next day begins at midnight in Brasília. The same file again does not count.`
  return { refusal: refusal('rate_limited', because('upload_day_full', words)), retryAfterSeconds }
}

function sizeWords(bytes: number): string {
  const [kb, mb, gb] = [bytes / 1024, bytes / 1024 ** 2, bytes / 1024 ** 3]
  return gb >= 1 ? `${gb} GB` : mb >= 1 ? `${mb} MB` : `${kb} KB`
}
