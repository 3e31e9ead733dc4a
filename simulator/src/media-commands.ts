import { mediaPath } from './media-routes.ts'
import type { MediaFile } from './media-store.ts'
import type { World } from './world.ts'

/** A file that a person is going to send. Without `phoneNumberId` it is for the first number; without `id` it gets one of its own. */
export type MediaInput = { bytes: Buffer; mimeType: string; fileName?: string; phoneNumberId?: string; id?: string }

/** Puts an inbound file where a notice can name it: its id lives for seven days. Any type and size is taken, as people send what they like. Throws without such a number. */
export function putMedia(world: World, input: MediaInput): MediaFile {
  const { bytes, mimeType, fileName = null } = input
  const number = world.directory.numbers.get(input.phoneNumberId ?? world.directory.numbers.keys().next().value ?? '')
  if (number === undefined) throw new Error('The simulator has no such number.')
  const { phoneNumberId, wabaId } = number
  const id = input.id === undefined ? {} : { id: input.id }
  const file = world.media.keep({ origin: 'inbound', phoneNumberId, wabaId, mimeType, fileName, bytes, ...id })
  if (file === null) throw new Error('The file is larger than what the simulator may hold.')
  return file
}

/** A fresh link to a file, good for five minutes. Throws for an id that is not there. */
export function mediaUrl(world: World, id: string): string {
  const file = world.media.find(id)
  if (file === null) throw new Error('The simulator has no such file.')
  return `${world.mediaBaseUrl() ?? world.ownUrl()}${mediaPath}?${world.media.linkQuery(file)}`
}
