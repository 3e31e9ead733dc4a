import { expect, test } from 'vitest'
import { planCycles } from './faults.ts'

const options = { seed: 5, cycles: 25, gateways: 2, mode: 'external', only: [] } as const

test('a seed repeats its plan, and another seed has another', () => {
  expect(planCycles(options)).toEqual(planCycles(options))
  expect(planCycles(options)).not.toEqual(planCycles({ ...options, seed: 6 }))
})

test('a run of 25 cycles meets every kind of fault, those on the way to the database only where there is one', () => {
  const names = (mode: 'bundled' | 'external') => new Set(planCycles({ ...options, mode }).map((each) => each.fault.name))
  expect(names('external').size).toBe(12)
  expect(names('bundled').size).toBe(8)
})
