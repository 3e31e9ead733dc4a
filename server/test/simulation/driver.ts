import { chanceOf } from './chance.ts'
import type { Faults } from './faults.ts'
import type { Gate, Turn } from './gate.ts'
import type { Open } from './rows.ts'
import type { World } from './world.ts'

/** Lets a simulation run from its first moment until nothing is left to do. */
export type Driver = {
  /** Answers how many steps it took. */
  run(): Promise<number>
  /** Ends what dead processes still hold open. */
  release(): Promise<void>
}

/** A seed that takes more is stuck. */
const stepsMax = 30_000
/** So long the processes look by themselves before time jumps: what a lost hint would have told is found in it. */
const lookMs = 300
/** Time stops so long before what is due, so that whoever has to do it has woken up. */
const wakeUpMs = 1_200
/** A shorter jump would not spare anything. */
const worthMs = 800
/** So often time may jump without anything happening. */
const idleJumpsMax = 400

type Deps = { world: World; gate: Gate; faults: Faults; readOpen: () => Promise<Open> }

export function createDriver({ world, gate, faults, readOpen }: Deps): Driver {
  const { time, plan } = world
  let busyMs = time.nowMs()
  let idleJumps = 0

  /** Resolves when no process has anything to do but to wait for the database or for a timer. */
  const settle = async () => {
    for (let quiet = 0, seen = -1; quiet < 4; quiet += 1) {
      const changes = time.changes() + gate.changes()
      if (changes !== seen) quiet = 0
      seen = changes
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  const release = async () => {
    await settle()
    for (const turn of gate.waiting()) if (turn.life.state === 'dead') await gate.grant(turn, 'die_before')
  }

  const chosen = (): Turn | null => {
    let first: { turn: Turn; place: number } | null = null
    for (const turn of gate.waiting()) {
      if (turn.life.state !== 'running') continue
      const place = chanceOf(plan.seed, 'turn', turn.process, turn.part, turn.n).fraction()
      if (first === null || place < first.place) first = { turn, place }
    }
    return first?.turn ?? null
  }

  /** One piece of database work; false: nobody waits. */
  const work = async (): Promise<boolean> => {
    if (gate.waiting().some((turn) => turn.life.state === 'dead')) await release()
    const turn = chosen()
    if (turn === null) return false
    const verdict = faults.verdictOf(turn)
    if (verdict !== null) await gate.grant(turn, verdict)
    faults.afterStep()
    return true
  }

  /** Moves time to where something is due; false: nothing is left to do. */
  const jump = async (): Promise<boolean> => {
    const nowMs = time.nowMs()
    const happeningMs = time.nextHappeningMs()
    if (nowMs - busyMs < lookMs || happeningMs - nowMs < worthMs) return true
    const open = await readOpen()
    if (!open.isAnything && happeningMs === Number.POSITIVE_INFINITY) return false
    idleJumps += 1
    // What happens wakes whom it concerns; what is due is found only by who is awake.
    const firstMs = Math.min(happeningMs, open.dueMs - wakeUpMs)
    const targetMs = firstMs === Number.POSITIVE_INFINITY ? open.deliveriesMs - wakeUpMs : firstMs
    busyMs = nowMs
    if (targetMs - nowMs > worthMs) {
      time.jumpTo(targetMs)
      busyMs = targetMs === happeningMs ? targetMs : targetMs + wakeUpMs
      world.evidence.jumps.push({ fromMs: nowMs, untilMs: targetMs })
    }
    return idleJumps < idleJumpsMax
  }

  return {
    release,
    async run() {
      for (let steps = 0; steps < stepsMax; steps += 1) {
        await settle()
        if (await work()) continue
        if (!(await jump())) return steps
        const fired = time.fireNext()
        if (fired === null) return steps
        if (fired === 'happening') {
          busyMs = time.nowMs()
          idleJumps = 0
        }
        await gate.idle()
        faults.afterStep()
      }
      world.evidence.complaints.push(`nothing came to an end within ${stepsMax} steps`)
      return stepsMax
    },
  }
}
