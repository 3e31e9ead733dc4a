import type { Evidence } from './evidence.ts'
import type { Ran } from './simulated-database.ts'

/** Remembers, in the order in which the database did it, who took shards and under which epochs intents were written. */
export function noteOwnership(evidence: Evidence, { name, values, rows }: Ran): void {
  if (name === 'take_shards') {
    const shards = rows as { shard: number; epoch: number }[]
    evidence.ownership.push({ kind: 'taken', owner: String(values[0]), shards })
  }
  if (name === 'write_send_intents') {
    // The parameters of the statement: the fence's shards, epochs and owner, then the accounts, the messages and their shards.
    const [fenced, epochs, owner, , messages, shards] = values as [number[], number[], string, unknown, string[], number[]]
    const written = new Set((rows as { message_id: string }[]).map((row) => shards[messages.indexOf(row.message_id)]))
    const under = fenced.map((shard, i) => ({ shard, epoch: epochs[i] ?? -1 })).filter((each) => written.has(each.shard))
    evidence.ownership.push({ kind: 'intents', owner, shards: under })
  }
}
