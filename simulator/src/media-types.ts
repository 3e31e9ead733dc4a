/** What a file can be sent as. */
export type MediaKind = 'audio' | 'document' | 'image' | 'sticker' | 'video'

type MediaType = { kind: MediaKind; bytesMax: number; extensions: readonly string[] }

const MEGABYTE = 1024 * 1024

/** The largest file of any kind; more is not even read. */
export const mediaBytesMax = 100 * MEGABYTE

const STILL_STICKER_BYTES_MAX = 100 * 1024
const MOVING_STICKER_BYTES_MAX = 500 * 1024

const TYPES: ReadonlyMap<string, MediaType> = new Map([
  ...typesOf('audio', 16 * MEGABYTE, {
    'audio/aac': ['aac'],
    'audio/amr': ['amr'],
    'audio/mpeg': ['mp3', 'mpeg', 'mpga'],
    'audio/mp4': ['m4a', 'mp4'],
    'audio/ogg': ['ogg', 'oga', 'opus'],
  }),
  ...typesOf('document', mediaBytesMax, {
    'text/plain': ['txt', 'text', 'log', 'csv', 'md'],
    'application/pdf': ['pdf'],
    'application/msword': ['doc'],
    'application/vnd.ms-excel': ['xls'],
    'application/vnd.ms-powerpoint': ['ppt'],
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  }),
  ...typesOf('image', 5 * MEGABYTE, { 'image/jpeg': ['jpg', 'jpeg', 'jpe'], 'image/png': ['png'] }),
  ...typesOf('sticker', MOVING_STICKER_BYTES_MAX, { 'image/webp': ['webp'] }),
  ...typesOf('video', 16 * MEGABYTE, { 'video/mp4': ['mp4', 'm4v'], 'video/3gpp': ['3gp', '3gpp'] }),
])

/** Every type that an upload may declare. */
export const mediaTypeNames: readonly string[] = [...TYPES.keys()]

/** The type without its parameters, in lower case: `audio/ogg` of `audio/ogg; codecs=opus`. */
function plainType(mimeType: string): string {
  return (mimeType.split(';')[0] ?? '').trim().toLowerCase()
}

/** What a file of this type can be sent as, or null for a type that the platform sends nowhere. */
export function kindOfType(mimeType: string): MediaKind | null {
  return TYPES.get(plainType(mimeType))?.kind ?? null
}

/** The type that the platform takes a file for: the declared one, unless the ending of its name says something else that it knows. */
export function takenType(mimeType: string, fileName: string): string {
  const type = TYPES.get(plainType(mimeType))
  const extension = /\.([A-Za-z0-9]+)$/.exec(fileName)?.[1]?.toLowerCase()
  if (type === undefined || extension === undefined || type.extensions.includes(extension)) return mimeType
  const known = [...TYPES.values()].some((other) => other.extensions.includes(extension))
  return known ? 'application/octet-stream' : mimeType
}

/** The largest file of this declared type; a sticker that does not move may only be small. 0 for a type that is not taken. */
export function bytesMaxOf(mimeType: string, bytes: Buffer): number {
  const type = TYPES.get(plainType(mimeType))
  if (type?.kind === 'sticker' && !moves(bytes)) return STILL_STICKER_BYTES_MAX
  return type?.bytesMax ?? 0
}

/** A WebP file says in its extended header whether it holds an animation. */
function moves(webp: Buffer): boolean {
  return webp.toString('latin1', 12, 16) === 'VP8X' && ((webp[20] ?? 0) & 0x02) !== 0
}

function typesOf(
  kind: MediaKind,
  bytesMax: number,
  extensionsOf: { readonly [mimeType: string]: readonly string[] },
): [string, MediaType][] {
  return Object.entries(extensionsOf).map(([mimeType, extensions]) => [mimeType, { kind, bytesMax, extensions }])
}
