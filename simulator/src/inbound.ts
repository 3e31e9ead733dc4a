import { contentOf, type FileSource, type InboundContent, type InboundFile } from './inbound-content.ts'
import { mediaUrl, putMedia } from './media-commands.ts'
import { inboundItem } from './notices.ts'
import type { NumberState } from './numbers.ts'
import { personWithWaId } from './person.ts'
import type { World } from './world.ts'

/**
 * Who writes, to whom and when. `from` is digits, taken as the WhatsApp id; without `phone_number_id` it goes to the first number. `context` is the
 * wamid that is quoted, `forwarded` says how often it was passed on before, `referral` is the advertisement that they come from. With
 * `user_id_only` the platform does not tell their phone, as of people with a user name.
 */
export type InboundHead = {
  from: string
  name?: string
  phone_number_id?: string
  wamid?: string
  timestamp?: string
  context?: string
  forwarded?: 'once' | 'often'
  referral?: object
  user_id_only?: boolean
}

/** A text that a person sends to a number, or anything else that they do. */
export type InboundInput = InboundHead & ({ text: string } | { content: InboundContent })

/** The id of the inbound message and how the callback answered the first attempt (`status` null with the reason when it did not). */
export type InboundResult = { wamid: string; status: number | null; error: string | null }

/** Makes a person write. Null when there is no such number. Throws for a file that is not there. */
export async function sendInbound(world: World, input: InboundInput): Promise<InboundResult | null> {
  const id = input.phone_number_id ?? world.directory.numbers.keys().next().value ?? ''
  const number = world.directory.numbers.get(id)
  if (number === undefined) return null
  // An inbound notice carries the WhatsApp id itself, so the digits are not changed as those of a send are.
  const person = personWithWaId(input.from.replace(/\D/g, ''))
  const wamid = input.wamid ?? world.wamids.next(person.waId)
  const content: InboundContent = 'content' in input ? input.content : { type: 'text', body: input.text }
  // Messages that come in count towards the number's throughput as those that go out do.
  world.throughput.count(id)
  const name = input.name ?? `Simulated person ${person.waId.slice(-4)}`
  const atSeconds = input.timestamp ?? String(Math.floor(world.clock.nowMs() / 1000))
  const told = contentOf(content, fileSource(world, number))
  const result = await world.courses.post(
    inboundItem({
      number,
      person,
      name,
      wamid,
      atSeconds,
      content: told,
      head: headOf(number, input),
      phoneKnown: input.user_id_only !== true,
    }),
  )
  if (content.type === 'revoke') world.messages.forget(content.original_message_id)
  return { wamid, ...result }
}

function headOf(number: NumberState, input: InboundInput): object {
  const { context, forwarded, referral } = input
  return {
    ...(referral === undefined ? {} : { referral }),
    ...(context === undefined ? {} : { context: { from: number.displayDigits, id: context } }),
    ...(forwarded === undefined ? {} : { context: forwarded === 'often' ? { frequently_forwarded: true } : { forwarded: true } }),
  }
}

const USUAL_TYPES: { readonly [Kind in InboundFile['type']]: string } = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/ogg; codecs=opus',
  document: 'application/pdf',
  sticker: 'image/webp',
}

function fileSource(world: World, number: NumberState): FileSource {
  return (content) => {
    const { type, media_id, mime_type = USUAL_TYPES[type], filename } = content
    const bytes =
      typeof content.bytes === 'string' ? Buffer.from(content.bytes, 'base64') : (content.bytes ?? Buffer.from(`a simulated ${type}`))
    const { phoneNumberId } = number
    const file =
      (media_id === undefined ? null : world.media.find(media_id)) ??
      putMedia(world, {
        bytes,
        mimeType: mime_type,
        phoneNumberId,
        ...(filename === undefined ? {} : { fileName: filename }),
        ...(media_id === undefined ? {} : { id: media_id }),
      })
    return { file, url: mediaUrl(world, file.id) }
  }
}
