import type { Evidence } from './evidence.ts'
import type { Ran } from './simulated-database.ts'

/** Remembers, in the order in which the database did it, who took shards and under which epochs intents were written. */
export function noteOwnership(evidence: Evidence, { name, values, rows }: Ran): void {
  if (name === 'take_shards') {
    const shards = rows as { shard: number; epoch: number }[]
    evidence.ownership.push({ kind: 'taken', owner: String(values[0]), shards })
  }
  if (name === 'write_send_intents') {
    const [numbers, epochs, owner] = values as [number[], number[], string]
    const shards = numbers.map((shard, i) => ({ shard, epoch: epochs[i] ?? -1 }))
    evidence.ownership.push({ kind: 'intents', owner, shards, written: rows.length })
  }
}
