import { describe, expect, test } from 'vitest'
import type { Uuid } from './id.ts'
import { createRing } from './turns.ts'

const account = (name: string) => name as Uuid

/** Deals `most` turns at a time to members that each want so many; answers who took them, in order. */
function dealAll(wanting: Readonly<Record<string, Readonly<Record<string, number>>>>, mosts: readonly number[]): string[] {
  const ring = createRing<string, string>()
  const left = new Map<string, number>()
  for (const [accountId, members] of Object.entries(wanting))
    for (const [key, wants] of Object.entries(members)) {
      ring.add(account(accountId), key, key)
      left.set(key, wants)
    }
  const taken: string[] = []
  for (const most of mosts)
    ring.deal(most, (member, accountId) => {
      const wants = left.get(member) ?? 0
      if (wants <= 1) ring.delete(accountId, member)
      if (wants === 0) return false
      left.set(member, wants - 1)
      taken.push(member)
      return true
    })
  return taken
}

describe('turns', () => {
  test('go from account to account, and within an account from member to member', () => {
    expect(dealAll({ A: { a1: 9, a2: 9, a3: 9 }, B: { b1: 9 } }, [6])).toEqual(['a1', 'b1', 'a2', 'b1', 'a3', 'b1'])
  })

  test('go on where the last deal ended, so that single places are shared as many are', () => {
    const one = dealAll({ A: { a1: 9, a2: 9 }, B: { b1: 9 } }, [1, 1, 1, 1, 1, 1])
    expect(one).toEqual(dealAll({ A: { a1: 9, a2: 9 }, B: { b1: 9 } }, [6]))
  })

  test('that one account or member does not want are left to the others, and end when nobody wants one', () => {
    expect(dealAll({ A: { a1: 1, a2: 0 }, B: { b1: 3 } }, [100])).toEqual(['a1', 'b1', 'b1', 'b1'])
    expect(dealAll({ A: { a1: 0 } }, [100, 100])).toEqual([])
  })

  test('keep the place of who is ready already, and put who is new at the end', () => {
    const ring = createRing<string, string>()
    for (const name of ['A', 'B', 'A', 'C']) ring.add(account(name), name, name)
    const taken: string[] = []
    ring.deal(3, (member) => taken.push(member) > 0)
    expect(taken).toEqual(['A', 'B', 'C'])
    expect([ring.accounts, ring.has(account('A'), 'A'), ring.has(account('A'), 'B')]).toEqual([3, true, false])
  })

  test('of ten thousand members cost milliseconds', () => {
    const ring = createRing<number, number>()
    for (let n = 0; n < 10_000; n += 1) ring.add(account(String(n % 100)), n, n)
    const beganMs = performance.now()
    expect(ring.deal(256, () => true)).toBe(256)
    expect(ring.deal(256, () => false)).toBe(0)
    expect(performance.now() - beganMs).toBeLessThan(250)
  })
})
