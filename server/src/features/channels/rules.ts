import type { Uuid } from '../../base/id.ts'
import type { Fact, LastTold, ToldOfNumber } from './channel.ts'

/** Folds facts in any order to one row for each number, in the order of the numbers' ids. Pure. */
export function lastTold(told: readonly ToldOfNumber[]): LastTold[] {
  const numbers = new Map<Uuid, { accountId: Uuid; channelId: Uuid; facts: Map<Fact, ToldOfNumber> }>()
  for (const each of told) {
    const number = numbers.get(each.channelId) ?? { accountId: each.accountId, channelId: each.channelId, facts: new Map() }
    numbers.set(each.channelId, number)
    const other = number.facts.get(each.fact)
    if (other === undefined || isLater(each, other)) number.facts.set(each.fact, each)
  }
  return [...numbers.values()].sort((a, b) => (a.channelId < b.channelId ? -1 : 1))
}

/** The same order as that of the statement that writes them. */
function isLater(a: ToldOfNumber, b: ToldOfNumber): boolean {
  const ms = a.at.getTime() - b.at.getTime()
  return ms === 0 ? (a.value ?? '') > (b.value ?? '') : ms > 0
}
