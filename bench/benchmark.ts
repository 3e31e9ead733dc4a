/** How much is measured. */
export type Effort = {
  /** How often each side of a comparison runs, in turns. */
  runs: number
  /** Tiny counts, to see that a benchmark works; its figures mean nothing. */
  quick: boolean
  /** How many messages there are where the goal is about very many. */
  messages: number
}

export type Limit = { atLeast: number } | { atMost: number } | { between: readonly [number, number] }

/** One line of a result: a figure of each run, and what its median ought to be. */
export type Figure = {
  what: string
  unit: string
  values: readonly number[]
  goal: Limit | null
}

export type Benchmark = {
  /** As the goals are called: `P1`, `E3`. */
  name: string
  title: string
  /** About how long it takes with five runs. */
  minutes: number
  run(effort: Effort): Promise<readonly Figure[]>
}

/** A figure without a goal of its own. */
export const shown = (what: string, unit: string, values: readonly number[]): Figure => ({ what, unit, values, goal: null })

/** A figure that its median is judged by. */
export const judged = (what: string, unit: string, values: readonly number[], goal: Limit): Figure => ({ what, unit, values, goal })

/** Runs the sides in turns, A-B-A-B, so that what the machine does meanwhile hits all of them alike. */
export async function inTurns(runs: number, sides: readonly ((run: number) => Promise<void>)[]): Promise<void> {
  for (let run = 0; run < runs; run += 1) for (const side of sides) await side(run)
}
