import type { Received } from '../programs/receiver.ts'
import { startServing } from './program.ts'

/** A customer's receiver that runs as a process of its own; see `programs/receiver.ts` for its paths. */
export type BenchReceiver = {
  url: string
  /** What came under this first part of a path since it began anew. */
  taken(label: string): Promise<Received>
  beginAnew(label: string): Promise<Received>
  end(): Promise<void>
}

export async function startReceiver(): Promise<BenchReceiver> {
  const { url, end } = await startServing('receiver.ts')
  const ask = async (label: string, method: 'GET' | 'DELETE') =>
    (await (await fetch(`${url}/_taken/${label}`, { method })).json()) as Received
  return { url, taken: (label) => ask(label, 'GET'), beginAnew: (label) => ask(label, 'DELETE'), end }
}
