import { chanceOf } from './chance.ts'
import type { Fault } from './evidence.ts'
import type { Turn, Verdict } from './gate.ts'
import type { GatewayProcess } from './gateway-process.ts'
import type { PlannedFault } from './plan.ts'
import { after, at, type World } from './world.ts'

export type Faults = {
  /** What becomes of this piece of database work; null: its process stands still from now on and the turn waits. */
  verdictOf(turn: Turn): Verdict | null
  /** Notices who died, and lets another one start. */
  afterStep(): void
}

type Deps = { processes: GatewayProcess[]; start: () => void }

/** How long work that broke off may be tried again. */
const retryMs = 3_000

export function planFaults(world: World, { processes, start }: Deps): Faults {
  const { plan, time, evidence } = world
  let armed: PlannedFault[] = []
  let stepsLeft = 0
  const buried = new Set<GatewayProcess>()

  for (const fault of plan.faults)
    at(world, world.startMs + fault.atMs, () => {
      armed.push(fault)
      if (armed.length === 1) stepsLeft = fault.steps
    })

  const note = (kind: Fault['kind'], process: number, untilMs: number) =>
    evidence.faults.push({ kind, process, fromMs: time.nowMs(), untilMs })

  const strike = (process: GatewayProcess, fault: PlannedFault): Verdict | null => {
    armed = armed.slice(1)
    stepsLeft = armed[0]?.steps ?? 0
    if (fault.kind === 'crash') {
      after(world, fault.downMs, start)
      return fault.isAfter ? 'die_after' : 'die_before'
    }
    process.life.state = 'paused'
    note('pause', process.index, time.nowMs() + fault.killMs)
    after(world, fault.takeoverMs, start)
    after(world, fault.resumeMs, () => {
      if (process.life.state === 'paused') process.life.state = 'running'
    })
    after(world, fault.killMs, () => {
      process.life.state = 'dead'
    })
    return null
  }

  const databaseFault = (turn: Turn, process: GatewayProcess): Verdict => {
    const chance = chanceOf(plan.seed, 'database', turn.process, turn.part, turn.n)
    if (!process.isListening() || time.nowMs() > evidence.calmFromMs || !chance.happens(plan.databaseFaults)) return 'run'
    note('database', process.index, time.nowMs() + retryMs)
    return chance.happens(0.5) ? 'fail' : 'lose_answer'
  }

  return {
    verdictOf(turn) {
      const process = processes[turn.process]
      if (process === undefined) return 'run'
      const fault = armed[0]
      // Deliveries are not counted: their later attempts come at moments that no seed repeats.
      if (fault !== undefined && process === world.front() && turn.part !== 'deliveries') {
        if (stepsLeft <= 0) return strike(process, fault)
        stepsLeft -= 1
      }
      return databaseFault(turn, process)
    },
    afterStep() {
      for (const process of processes) {
        if (process.life.state !== 'dead' || buried.has(process)) continue
        buried.add(process)
        note('crash', process.index, time.nowMs())
        process.bury()
      }
    },
  }
}
