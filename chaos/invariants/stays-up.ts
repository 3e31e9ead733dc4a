import type { Run, Violation } from '../histories.ts'

/** A gateway that adopts or recovers its database, on a machine under load. */
const startMsMax = 40_000

/** I19. No gateway ends by itself, each starts again with no hand laid on it, and one that is asked to stop stops cleanly. */
export function staysUp(run: Run): Violation[] {
  return run.lives.flatMap((life): Violation[] => {
    const broken = (what: string): Violation[] => [{ invariant: 'I19', what, evidence: life }]
    if (life.kind === 'started') return life.tookMs > startMsMax ? broken(`A gateway took ${Math.round(life.tookMs)} ms to start.`) : []
    if (!life.wanted) return broken('A gateway ended by itself.')
    return life.clean && life.code !== 0 ? broken('A gateway was asked to stop, and did not stop cleanly.') : []
  })
}
