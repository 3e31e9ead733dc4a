import type { Uuid } from '../../base/id.ts'

export type MediaKind = 'image' | 'audio' | 'video' | 'document' | 'sticker'

/** What the bytes of a file are. */
export type FileKind = {
  kind: MediaKind
  /** Of stickers: more than one picture. */
  animated: boolean
  mimeType: string
}

/** A file of an account. */
export type Media = FileKind & {
  id: Uuid
  accountId: Uuid
  /** The part of its url that nobody can guess: 43 characters of base64url. A secret. */
  token: string
  sha256: Buffer
  sizeBytes: number
  /** As it was given with the bytes the first time; null: without one. */
  fileName: string | null
  createdAt: Date
}

/** Under one of our addresses. `token` is null where the link cannot be that of a file. */
export type MediaReference = { token: string | null }

/** Characters of the last part of a url, as they are written there: any server, proxy and caller takes so many. */
const urlNameCharsMax = 200

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'text/plain': 'txt',
  'application/pdf': 'pdf',
  'application/msword': 'doc',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
}

/** A name whose extension fits the bytes, whatever the file was called: upstream decides by both. */
export function plainName(mimeType: string): string {
  const [type = ''] = mimeType.split(';')
  return `file.${extensions[type.trim()] ?? 'bin'}`
}

/** The permanent url of a file. `filesUrl` is without a slash at its end. */
// rule: files 1
export function mediaUrl(filesUrl: string, media: Pick<Media, 'token' | 'fileName' | 'mimeType'>): string {
  return `${filesUrl}/files/${media.token}/${urlName(media.fileName ?? plainName(media.mimeType))}`
}

/**
 * Which file of ours a link means, or null when it leads to somebody else. `bases` are the addresses under which we can be reached; the
 * scheme does not count, because a proxy may add https, nor do query and name, which say nothing about the bytes.
 */
export function parseMediaReference(link: string, bases: readonly string[]): MediaReference | null {
  const url = URL.parse(link)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const ours = bases.map((base) => new URL(base)).find((base) => base.host === url.host && isBelow(url.pathname, base.pathname))
  if (ours === undefined) return null
  const path = url.pathname.slice(trimmed(ours.pathname).length)
  return { token: /^\/files\/([A-Za-z0-9_-]{43})\/[^/]+$/.exec(path)?.[1] ?? null }
}

/** The parts of the url that nobody but its owner knows; anything else finds nothing. */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

const trimmed = (path: string) => path.replace(/\/$/, '')
const isBelow = (path: string, base: string) => path === trimmed(base) || path.startsWith(`${trimmed(base)}/`)

/** For people and programs that save it: shortened in the middle of a long name, never in its extension. */
function urlName(name: string): string {
  const whole = encodeURIComponent(name)
  if (whole.length <= urlNameCharsMax) return whole
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 10 ? encodeURIComponent(name.slice(dot)) : ''
  const stem: string[] = []
  let length = extension.length
  for (const character of name) {
    const written = encodeURIComponent(character)
    length += written.length
    if (length > urlNameCharsMax) break
    stem.push(written)
  }
  return stem.join('') + extension
}
