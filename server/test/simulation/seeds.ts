import type { Connection } from '../../src/platform/database/database.ts'
import { historyHash } from './history-hash.ts'
import { judge } from './judge/judge.ts'
import { openSimulation, sendsPerSecond } from './simulation.ts'

/** A seed and what was wrong with it; `violations` is empty where nothing was. */
export type SeedOutcome = { seed: number; hash: string; steps: number; violations: string[] }

/** Runs these seeds one after another on one migrated database of their own, and judges each. */
export async function runSeeds(connection: Connection, seeds: readonly number[], told: (outcome: SeedOutcome) => void): Promise<void> {
  const simulation = openSimulation(connection)
  try {
    for (const seed of seeds) {
      const simulated = await simulation.run(seed)
      const { steps, evidence } = simulated
      told({ seed, hash: historyHash(simulated), steps, violations: judge(evidence, sendsPerSecond) })
    }
  } finally {
    await simulation.close()
  }
}

/** `count` seeds from this one on. */
export const seedsFrom = (first: number, count: number): number[] => Array.from({ length: count }, (_each, i) => first + i)

/** What to say of a seed that is not well, and how to see it again. */
export const words = ({ seed, violations }: SeedOutcome): string =>
  `seed ${seed} (again: npm run simulate -- --seed ${seed})\n${violations.map((each) => `  ${each}`).join('\n')}`
