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
    name: 'ready-whatever-happens',
    breaks: 'a process whose loops fail or whose batches stand still is not ready',
    file: 'server/src/readiness.ts',
    find: 'return troubles.length === 0 ? { ok: true }',
    replace: 'return troubles.length >= 0 ? { ok: true }',
    caughtBy: ['server/src/readiness.test.ts'],
  },
  {
    name: 'ready-without-the-lease',
    breaks: 'a process that lost its lease is not ready',
    file: 'server/src/readiness.ts',
    find: 'check: async () => ({ ok: lease() })',
    replace: 'check: async () => ({ ok: lease() || true })',
    caughtBy: ['server/src/readiness.test.ts'],
  },
  {
    name: 'code-good-twice',
    breaks: 'a code of the app signs in once',
    file: 'server/src/features/members/code-store.ts',
    find: 'return isFirst',
    replace: 'return true',
    caughtBy: ['server/test/api/console-second-factor.test.ts'],
  },
  {
    name: 'old-output-is-run',
    breaks: 'what was built runs only while every file that went into it says the same',
    file: 'tools/built.mjs',
    find: 'sources.every(saysTheSame)',
    replace: 'sources.some(saysTheSame)',
    caughtBy: ['tools/built.test.ts'],
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
