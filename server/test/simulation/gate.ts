import type { Life } from './virtual-time.ts'

/**
 * What becomes of one piece of database work. `fail`: the connection breaks before it; `lose_answer`: it is committed and then the
 * connection breaks; `die_before` and `die_after`: the process is killed before it, or when it is committed and not yet answered.
 */
export type Verdict = 'run' | 'fail' | 'lose_answer' | 'die_before' | 'die_after'

/** Which process, and which part of it, wants to work on the database. */
export type Place = { life: Life; process: number; part: string }

/** One that waits for its turn. */
export type Turn = Place & {
  /** Counts the turns of this part of this process. */
  n: number
  /** A transaction is open already: it must be ended even when the process dies. */
  isOpen: boolean
}

/** Lets one piece of database work run at a time, in an order that the driver chooses: that is what makes a history repeatable. */
export type Gate = {
  /** Resolves when the driver lets this work run. Its holder says `over` when the database has nothing more to do for it. */
  turn(place: Place, isOpen: boolean): Promise<Verdict>
  over(): void
  /** Takes the turn without asking: for what the database layer does by itself between two tries. */
  hold(): void
  waiting(): readonly Turn[]
  /** Resolves when the work is over. */
  grant(turn: Turn, verdict: Verdict): Promise<void>
  /** Resolves when nobody works. */
  idle(): Promise<void>
  /** Grows with every turn that is asked for. */
  changes(): number
}

export function createGate(): Gate {
  const waiting = new Map<Turn, (verdict: Verdict) => void>()
  const counts = new Map<string, number>()
  let working: PromiseWithResolvers<void> | null = null
  let changes = 0
  const hold = () => {
    if (working !== null) throw new Error('bug: two work on the database at once')
    working = Promise.withResolvers<void>()
  }
  return {
    turn(place, isOpen) {
      changes += 1
      const name = `${place.process} ${place.part}`
      const n = (counts.get(name) ?? 0) + 1
      counts.set(name, n)
      return new Promise((resolve) => waiting.set({ ...place, n, isOpen }, resolve))
    },
    over() {
      const done = working
      working = null
      done?.resolve()
    },
    hold,
    waiting: () => [...waiting.keys()],
    async grant(turn, verdict) {
      const resolve = waiting.get(turn)
      waiting.delete(turn)
      if (resolve === undefined) throw new Error('bug: this turn was given before')
      hold()
      resolve(verdict)
      await this.idle()
    },
    async idle() {
      await working?.promise
    },
    changes: () => changes,
  }
}
