import type { Lanes } from './lanes.ts'
import { type Hints, type HintsDeps, openHints } from './platform/lanes/hints.ts'
import type { Ownership } from './platform/lanes/ownership.ts'

type WokenLanes = Pick<Lanes, 'sends' | 'notices' | 'deliveries'> & { inbox: Pick<Lanes['inbox'], 'wake'> }
type LaneHint = Parameters<Lanes['sends']['wake']>[0][number]
type DeliveryHint = Parameters<Lanes['deliveries']['wake']>[0][number]

/** Tells lanes that something waits, in this process or in the one that owns them. Every call is a hint and may be lost. */
export type Wake = {
  sends(hints: readonly LaneHint[]): void
  deliveries(hints: readonly DeliveryHint[]): void
  notices(): void
  /** The lanes of this process, once they are built. */
  attach(lanes: WokenLanes): void
  close(): Promise<void>
}

type Hint = { lane: 'sends'; hint: LaneHint } | { lane: 'deliveries'; hint: DeliveryHint } | { lane: 'notices' }

/** `remote` is null where no other process can be alive. */
export function createWake(ownership: Ownership, remote: HintsDeps | null): Wake {
  let lanes: WokenLanes | null = null
  const heard = (hints: readonly Hint[]) => {
    lanes?.sends.wake(hints.flatMap((each) => (each.lane === 'sends' ? [each.hint] : [])))
    lanes?.deliveries.wake(hints.flatMap((each) => (each.lane === 'deliveries' ? [each.hint] : [])))
    if (hints.some((each) => each.lane === 'notices')) lanes?.notices.wake()
    if (hints.some((each) => each.lane !== 'deliveries')) lanes?.inbox.wake()
  }
  const others: Hints<Hint> | null = remote === null ? null : openHints(remote, ownership.processId, heard)
  const elsewhere = (hint: { shard: number }) => !ownership.owned().has(hint.shard)

  return {
    sends(hints) {
      lanes?.sends.wake(hints)
      lanes?.inbox.wake()
      others?.tell(hints.filter(elsewhere).map((hint) => ({ lane: 'sends', hint })))
    },
    deliveries(hints) {
      lanes?.deliveries.wake(hints)
      others?.tell(hints.filter(elsewhere).map((hint) => ({ lane: 'deliveries', hint })))
    },
    notices() {
      if (lanes !== null) {
        lanes.notices.wake()
        lanes.inbox.wake()
      } else others?.tell([{ lane: 'notices' }])
    },
    attach(built) {
      lanes = built
    },
    close: async () => others?.close(),
  }
}
