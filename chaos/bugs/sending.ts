import type { PlantedBug } from './planted-bug.ts'

const messages = 'server/src/features/messages'

/** What sends something twice, too late, in the wrong order, or loses it. */
export const sendingBugs: readonly PlantedBug[] = [
  {
    name: 'intent-without-fence',
    breaks: 'I15: an intent of an owner that lost its shard changes nothing',
    file: `${messages}/send-queue.ts`,
    find: 'from due join fence on fence.shard = due.shard',
    replace: 'from due left join fence on fence.shard = due.shard',
    caughtBy: [`${messages}/send-queue.test.ts`],
  },
  {
    name: 'fence-without-lock',
    breaks: 'I15: an intent and a takeover of the same shard wait for each other',
    file: 'server/src/platform/lanes/fence.ts',
    find: '\n    for share of shard)',
    replace: ')',
    caughtBy: ['server/src/platform/lanes/ownership.test.ts'],
  },
  {
    name: 'intent-after-expiry',
    breaks: 'I3: nothing is sent after its fifteen minutes',
    file: `${messages}/send-queue.ts`,
    find: 'stateByKey} = 0 and expires_at > $7 and',
    replace: 'stateByKey} = 0 and',
    caughtBy: [`${messages}/send-queue.test.ts`],
  },
  {
    name: 'intent-in-any-state',
    breaks: 'I1: what is in flight or unknown is not sent again',
    file: `${messages}/send-queue.ts`,
    find: 'stateByKey} = 0 and expires_at > $7 and',
    replace: 'stateByKey} >= 0 and expires_at > $7 and',
    caughtBy: [`${messages}/send-queue.test.ts`],
  },
  {
    name: 'old-answer-requeues',
    breaks: 'I1: an answer to an earlier attempt says nothing of the one under way',
    file: `${messages}/send-queue.ts`,
    find: 'send_queue.attempt = back.attempt and',
    replace: 'true and',
    caughtBy: [`${messages}/send-queue.test.ts`],
  },
  {
    name: 'expiry-of-what-left',
    breaks: 'I1: of sent and expired exactly one happens',
    file: `${messages}/send-queue.ts`,
    find: 'stateByKey} = 0 and expires_at <= $3',
    replace: 'stateByKey} >= 0 and expires_at <= $3',
    caughtBy: [`${messages}/send-queue.test.ts`],
  },
  {
    name: 'expiry-of-an-unknown',
    breaks: 'I1: what may have been sent is not told as not sent',
    file: `${messages}/move.ts`,
    find: "message.status === 'queued' && !message.outcomeUnknown ? fail",
    replace: "message.status === 'queued' ? fail",
    caughtBy: [`${messages}/move.test.ts`],
  },
  {
    name: 'time-out-is-sent-again',
    breaks: 'I1: a send whose outcome is unknown is never sent again',
    file: 'server/src/platform/upstream/send.ts',
    find: "return { kind: 'unknown', because: answer.because, code: null, statusCode: null }",
    replace: "return { kind: 'not_accepted', brake: 'lane', code: null, message: answer.because, statusCode: null }",
    caughtBy: ['server/src/platform/upstream/send.test.ts'],
  },
  {
    name: 'unreadable-200-is-sent-again',
    breaks: 'I1: a 200 that cannot be read was most likely taken',
    file: 'server/src/platform/upstream/send.ts',
    find: "return { kind: 'unknown', because: 'unreadable answer', code: null, statusCode }",
    replace: "return { kind: 'not_accepted', brake: 'lane', code: null, message: 'unreadable answer', statusCode }",
    caughtBy: ['server/src/platform/upstream/send.test.ts'],
  },
  {
    name: 'reset-after-bytes-is-not-sent',
    breaks: 'I1: what broke after its first byte may have been taken',
    file: 'server/src/platform/upstream/graph.ts',
    find: "finish({ kind: controller === null ? 'not_sent' : 'no_answer', because: reasonOf(error) })",
    replace: "finish({ kind: 'not_sent', because: reasonOf(error) })",
    caughtBy: ['server/src/platform/upstream/graph.test.ts'],
  },
  {
    name: 'late-start-is-posted',
    breaks: 'I3: what waited too long for a connection does not leave',
    file: 'server/src/platform/upstream/graph.ts',
    find: 'request.startBy !== undefined && clock.monotonicMs() > request.startBy',
    replace: 'request.startBy !== undefined && clock.monotonicMs() > request.startBy + deadlineMs',
    caughtBy: ['server/src/platform/upstream/graph.test.ts'],
  },
  {
    name: 'person-free-before-the-record',
    breaks: 'I4: the next send to a person sees the outcome of the one before',
    file: `${messages}/flights.ts`,
    find: '    const recorded = await recordSurely({ ...send,',
    replace:
      '    endFlight(lane, row.contactId, freeAtMs, landedMs)\n    lane.inFlight += 1\n    const recorded = await recordSurely({ ...send,',
    caughtBy: [`${messages}/lanes.test.ts`],
  },
  {
    name: 'outcome-given-up',
    breaks: 'I1: what upstream answered is recorded, however long the database is away',
    file: `${messages}/flights.ts`,
    find: 'if (givingUp || (isRefusedForGood(error) && finished !== known)) return false',
    replace: 'return false',
    caughtBy: [`${messages}/lanes.test.ts`],
  },
  {
    name: 'lane-read-by-a-cursor',
    breaks: 'I17: a send whose lower place in the queue commits later is found',
    file: `${messages}/lane-set.ts`,
    find: 'for (const { lane, depth } of wanted) fillLane(lane, rows.get(keyOf(lane)) ?? [], depth)',
    replace: `for (const { lane, depth } of wanted) {
        const fresh = (rows.get(keyOf(lane)) ?? []).filter((row) => row.seq > (lane.cursor ?? 0))
        lane.cursor = fresh.at(-1)?.seq ?? lane.cursor
        fillLane(lane, [...lane.rows, ...fresh], depth)
      }`,
    caughtBy: [`${messages}/lane-set.test.ts`],
  },
  {
    name: 'no-spacing',
    breaks: 'I5: the starts of a number are evenly spaced',
    file: 'server/src/platform/lanes/pacer.ts',
    find: 'nextMs = Math.max(nextMs, atMs - startsMadeUpMax * spacingMs) + spacingMs',
    replace: 'nextMs = Math.min(atMs, atMs + spacingMs)',
    caughtBy: ['server/src/platform/lanes/pacer.test.ts'],
  },
  {
    name: 'unknown-given-up-at-its-expiry',
    breaks: 'I1: an unknown outcome has two minutes more for its notice',
    file: `${messages}/settle-unknown.ts`,
    find: 'new Date(now.getTime() - limits.unknownOutcomeMsMax)',
    replace: 'now',
    caughtBy: [`${messages}/lanes.test.ts`],
  },
  {
    name: 'orphans-queued-again',
    breaks: 'I1: what a dead owner had under way may have been sent, and is not sent again',
    file: `${messages}/settle-unknown.ts`,
    find: 'await markSendsUnknown(tx, orphans)',
    replace: `const { requeueSends } = await import('./send-queue.ts')
    await requeueSends(tx, orphans.map((each) => ({ ...each, notBefore: null })))`,
    caughtBy: [`${messages}/lanes.test.ts`],
  },
]
