import type { StageNumber } from '../support/stage.ts'
import type { Evidence } from './evidence.ts'
import type { GatewayProcess } from './gateway-process.ts'
import type { Plan } from './plan.ts'
import type { Life, VirtualTime } from './virtual-time.ts'

/** All that the actors of one simulation share. */
export type World = {
  plan: Plan
  time: VirtualTime
  startMs: number
  evidence: Evidence
  numbers: readonly StageNumber[]
  /** Whose timers never stop: upstream, clients, receivers, the operator. */
  life: Life
  /** The process that a request reaches now; null: nobody listens. */
  front(): GatewayProcess | null
}

/** Lets something happen at this moment of the virtual clock. */
export function at(world: World, ms: number, work: () => void): () => void {
  return world.time.at({ life: world.life, dueMs: ms, kind: 'happening', work })
}

/** The same, seen from now. */
export function after(world: World, ms: number, work: () => void): () => void {
  return at(world, world.time.nowMs() + ms, work)
}

export type Asked<Value> = { kind: 'answered'; value: Value } | { kind: 'failed' } | { kind: 'lost' }

/** Asks a process as if over the network: `lost` when it dies, or does not answer in time. `told` is called once. */
export function ask<Value>(
  world: World,
  input: { process: GatewayProcess; patienceMs: number; work: (process: GatewayProcess) => Promise<Value> },
  told: (asked: Asked<Value>) => void,
): void {
  let isTold = false
  const tell = (asked: Asked<Value>) => {
    if (isTold) return
    isTold = true
    cancel()
    told(asked)
  }
  const cancel = after(world, input.patienceMs, () => tell({ kind: 'lost' }))
  input.process.onDeath(() => tell({ kind: 'lost' }))
  input.work(input.process).then(
    (value) => tell({ kind: 'answered', value }),
    () => tell({ kind: 'failed' }),
  )
}
