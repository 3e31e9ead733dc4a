import type { Uuid } from '../../base/id.ts'
import type { Queries } from '../../platform/database/database.ts'
export type Media = {
  id: Uuid
  accountId: Uuid
  kind: 'image' | 'audio' | 'video' | 'document' | 'sticker'
  animated: boolean
  mimeType: string
  sizeBytes: number
  fileName: string | null
  token: string
}
export function parseMediaReference(_link: string, _bases: readonly string[]): { token: string } | null {
  return null
}
export async function findMedia(
  _q: Queries,
  wanted: readonly ({ accountId: Uuid } & ({ token: string } | { id: Uuid }))[],
): Promise<(Media | null)[]> {
  return wanted.map(() => null)
}
export const mediaUrl = (base: string, media: Media) => `${base}/files/${media.token}/${media.fileName}`
