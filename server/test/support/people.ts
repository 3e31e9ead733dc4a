/**
 * A phone that no other test of this file has, in canonical digits: a Brazilian mobile. Without `ending` (six digits) its last
 * digits mean nothing to the simulator or to test keys.
 */
export type NewPerson = (ending?: string) => string

export function createPeopleSource(): NewPerson {
  let count = 0
  return (ending) => {
    count += 1
    const area = 11 + (count % 80)
    const exchange = 80 + (Math.floor(count / 80) % 20)
    return `55${area}9${exchange}${ending ?? `7${String(count).padStart(5, '0')}`}`
  }
}
