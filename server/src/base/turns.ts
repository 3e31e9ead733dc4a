import type { Uuid } from './id.ts'

/**
 * Who is ready for a turn at something that all accounts share: accounts in turn, each with its members (numbers, webhooks, calls) in turn.
 * Who had a turn comes last from then on; who is new, too. So that neither much of one account nor many members of it crowd out others.
 */
export type Ring<Key, Member> = {
  /** Makes a member ready. One that is ready already keeps its place. */
  add(accountId: Uuid, key: Key, member: Member): void
  has(accountId: Uuid, key: Key): boolean
  delete(accountId: Uuid, key: Key): void
  /** How many accounts have somebody ready. */
  readonly accounts: number
  /**
   * Offers single turns until `most` were taken or nobody takes one more, and returns how many were taken. `take` returns whether the member took
   * it; one that did not is not asked again in this deal. It may delete its member.
   */
  deal(most: number, take: (member: Member, accountId: Uuid) => boolean): number
}

export function createRing<Key, Member>(): Ring<Key, Member> {
  const accounts = new Map<Uuid, Map<Key, Member>>()
  /** The next member that takes a turn, put last among those of its account; false: none does. */
  const turnOf = (accountId: Uuid, asked: Iterator<[Key, Member]>, take: (member: Member, accountId: Uuid) => boolean): boolean => {
    for (let next = asked.next(); !next.done; next = asked.next()) {
      const [key, member] = next.value
      if (!take(member, accountId)) continue
      const members = accounts.get(accountId)
      // Put in again at the end: who walks the map meets it once more.
      if (members?.delete(key)) members.set(key, member)
      return true
    }
    return false
  }

  return {
    add(accountId, key, member) {
      const members = accounts.get(accountId)
      if (members === undefined) accounts.set(accountId, new Map([[key, member]]))
      else if (!members.has(key)) members.set(key, member)
    },
    has: (accountId, key) => accounts.get(accountId)?.has(key) === true,
    delete(accountId, key) {
      const members = accounts.get(accountId)
      members?.delete(key)
      if (members?.size === 0) accounts.delete(accountId)
    },
    get accounts() {
      return accounts.size
    },
    deal(most, take) {
      let given = 0
      const asked = new Map<Uuid, Iterator<[Key, Member]>>()
      for (const [accountId, members] of accounts) {
        if (given >= most) break
        const inOrder = asked.get(accountId) ?? members.entries()
        asked.set(accountId, inOrder)
        if (!turnOf(accountId, inOrder, take)) continue
        given += 1
        if (accounts.delete(accountId)) accounts.set(accountId, members)
      }
      return given
    },
  }
}
