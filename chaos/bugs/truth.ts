import type { PlantedBug } from './planted-bug.ts'

const lanes = 'server/src/platform/lanes'

/** What says or believes something that is not so. */
export const truthBugs: readonly PlantedBug[] = [
  {
    name: 'restored-database-sends-again',
    breaks: 'rule queue 7: a database that was restored sends nothing that waited in it',
    file: `${lanes}/history-guard.ts`,
    find: 'if (mark !== null && mark.value > history.value)',
    replace: 'if (mark !== null && mark.value < history.value - 1e9)',
    caughtBy: [`${lanes}/history-guard.test.ts`],
  },
  {
    name: 'failover-lost-nothing',
    breaks: 'rule queue 7: a standby may lack the last commits',
    file: `${lanes}/history-guard.ts`,
    find: 'history.timeline !== history.timelineNow && !lossless',
    replace: 'history.timeline !== history.timelineNow && lossless',
    caughtBy: [`${lanes}/history-guard.test.ts`],
  },
  {
    name: 'history-judged-in-one-bite',
    breaks: 'what waits is held in bites, all of it',
    file: `${lanes}/history-guard.ts`,
    find: 'for (let taken = heldPerTransaction; taken === heldPerTransaction; held += taken)\n      taken',
    replace: 'for (let taken = heldPerTransaction, once = true; once; held += taken, once = false)\n      taken',
    caughtBy: [`${lanes}/history-guard.test.ts`],
  },
  {
    name: 'mark-that-is-not-kept-stops-all',
    breaks: 'a mark that cannot be kept outside stops nothing',
    file: `${lanes}/history-guard.ts`,
    find: "await marks.write(mark).catch((error: unknown) => observe({ kind: 'database.mark_not_kept', message: codeOf(error) }))",
    replace: 'await marks.write(mark)',
    caughtBy: [`${lanes}/history-guard.test.ts`],
  },
  {
    name: 'busy-machine-is-a-stall',
    breaks: 'only what the thread computed counts as a stall',
    file: 'server/src/platform/observe/event-loop.ts',
    find: 'Math.min(nowMs - dueMs, nowBurnedMs - burnedMs)',
    replace: 'Math.max(nowMs - dueMs, nowBurnedMs - burnedMs)',
    caughtBy: ['server/src/platform/observe/event-loop.test.ts'],
  },
  {
    name: 'stalls-are-not-told',
    breaks: 'work that keeps the event loop for long is told',
    file: 'server/src/platform/observe/event-loop.ts',
    find: 'if (stallMs > longestMs) longestMs = stallMs',
    replace: 'if (stallMs > 100 * longestMs) longestMs = stallMs / 100',
    caughtBy: ['server/src/platform/observe/event-loop.test.ts'],
  },
]
