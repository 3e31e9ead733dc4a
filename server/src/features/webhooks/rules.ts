import type { EventKind } from './event.ts'
import type { WantedEvent } from './webhook.ts'

/** Says whether a webhook that asked for `events` is told of this kind. */
export function wantsEvent(events: readonly WantedEvent[], type: EventKind): boolean {
  // rule: delivery 7. `*` stands for all kinds.
  return events.some((each) => each === '*' || each === type)
}
