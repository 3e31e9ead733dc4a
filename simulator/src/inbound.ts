import { inboundItem } from './notices.ts'
import { personWithWaId } from './person.ts'
import type { World } from './world.ts'

/** A text that a person sends to a number. `from` is digits, taken as the WhatsApp id; without `phone_number_id` it goes to the first number. */
export type InboundText = {
  from: string
  text: string
  name?: string
  phone_number_id?: string
  wamid?: string
  timestamp?: string
  context?: string
}

/** The id of the inbound message and how the callback answered the first attempt (`status` null with the reason when it did not). */
export type InboundResult = { wamid: string; status: number | null; error: string | null }

/** Makes a person write. Null when there is no such number. */
export async function sendInbound(world: World, input: InboundText): Promise<InboundResult | null> {
  const id = input.phone_number_id ?? world.directory.numbers.keys().next().value ?? ''
  const number = world.directory.numbers.get(id)
  if (number === undefined) return null
  // An inbound notice carries the WhatsApp id itself, so the digits are not changed as those of a send are.
  const waId = input.from.replace(/\D/g, '')
  const person = personWithWaId(waId)
  const wamid = input.wamid ?? world.wamids.next(waId)
  const atSeconds = input.timestamp ?? String(Math.floor(world.clock.nowMs() / 1000))
  const name = input.name ?? `Simulated person ${waId.slice(-4)}`
  // Messages that come in count towards the number's throughput as those that go out do.
  world.throughput.count(id)
  const item = inboundItem({ number, person, name, wamid, atSeconds, text: input.text, quotedWamid: input.context ?? null })
  return { wamid, ...(await world.courses.post(item)) }
}
