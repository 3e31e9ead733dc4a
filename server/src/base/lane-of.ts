import type { Uuid } from './id.ts'

/** More lanes than numbers are ever connected here: two hardly ever share one, and they lose no more than a turn by it. */
const lanes = 32_768
const numberKey = Buffer.from('"phone_number_id"')
const idCharsMax = 128

/**
 * The lane of a notice, from 0 to 32,767: the same for all of one number. Of what names no number it is that of the business account; a
 * simulated notice has that of the account which it speaks for.
 */
export function laneOf({ body, accountId }: { body: Buffer; accountId: Uuid | null }): number {
  const name = accountId ?? firstIdIn(body)
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % lanes
}

/** Looked for, not parsed: whoever is answered waits for it. */
function firstIdIn(body: Buffer): string {
  const at = body.indexOf(numberKey)
  const from = at < 0 ? 0 : at + numberKey.length
  return /[0-9]+/.exec(body.toString('latin1', from, from + idCharsMax))?.[0] ?? ''
}
