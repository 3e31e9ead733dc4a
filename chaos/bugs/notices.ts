import type { PlantedBug } from './planted-bug.ts'

const messages = 'server/src/features/messages'
const notices = 'server/src/features/notices'

/** What loses a notice, or takes more or less from it than it says. */
export const noticeBugs: readonly PlantedBug[] = [
  {
    name: 'answered-before-it-is-kept',
    breaks: 'I6: a notice that was answered 200 is in the database',
    file: `${notices}/routes.ts`,
    find: 'await deps.keep({ id: newUuid(now), livemode: true, accountId: null, body, dueAt: now, receivedAt: now })',
    replace: 'deps.keep({ id: newUuid(now), livemode: true, accountId: null, body, dueAt: now, receivedAt: now }).catch(() => {})',
    caughtBy: [`${notices}/routes.test.ts`],
  },
  {
    name: 'first-entry-only',
    breaks: 'I6: every entry of a notice counts',
    file: `${notices}/parse.ts`,
    find: 'return entries.flatMap((entry, i)',
    replace: 'return entries.slice(0, 1).flatMap((entry, i)',
    caughtBy: [`${notices}/read.test.ts`],
  },
  {
    name: 'first-status-only',
    breaks: 'I6: every status of a notice counts',
    file: `${notices}/parse.ts`,
    find: "...listOf(value, 'statuses', where).map(",
    replace: "...listOf(value, 'statuses', where).slice(0, 1).map(",
    caughtBy: [`${notices}/read.test.ts`],
  },
  {
    name: 'same-wamid-twice',
    breaks: 'I6: the same message twice is one message',
    file: `${messages}/keep-originals.ts`,
    find: 'const fresh = kept.filter(({ message }) => claimed.has(message.id))',
    replace: 'const fresh = kept',
    caughtBy: [`${notices}/lanes.test.ts`],
  },
  {
    name: 'replay-teaches-old-names',
    breaks: 'rule receive 20: a replay changes nothing that was right',
    file: 'server/src/features/contacts/identify.ts',
    find: 'return told.every((each) => each.isOld === true) ? whatIsMissing(profile, holders) : profile',
    replace: 'return profile',
    caughtBy: [`${notices}/replay.test.ts`],
  },
  {
    name: 'set-aside-twice',
    breaks: 'rule receive 20: what was worked through lies aside no more',
    file: `${notices}/finish.ts`,
    find: "if (queue === 'replay') await clearSetAside(tx, ids)",
    replace: '',
    caughtBy: [`${notices}/replay.test.ts`],
  },
  {
    name: 'parked-poison-stops-all',
    breaks: 'rule receive 7: what fails holds up none of its neighbours',
    file: `${notices}/parked.ts`,
    find: 'await database.repeatable((tx) => keepAsNotices(tx, clock))',
    replace: '',
    caughtBy: [`${notices}/poison.test.ts`],
  },
  {
    name: 'status-climbs-down',
    breaks: 'I7: a delivered that comes after read leaves it read',
    file: `${messages}/move.ts`,
    find: '...lifted, status: highest(message.status, status), [moment]',
    replace: '...lifted, status, [moment]',
    caughtBy: [`${messages}/move.test.ts`],
  },
  {
    name: 'sent-over-delivered',
    breaks: 'I7: an answer that its notices overtook leaves the status where they put it',
    file: `${messages}/move.ts`,
    find: "return { message: { ...given, status: highest(message.status, 'sent') }",
    replace: "return { message: { ...given, status: 'sent' }",
    caughtBy: [`${messages}/move.test.ts`],
  },
  {
    name: 'failure-over-delivered',
    breaks: 'I7: what reached the phone did not fail',
    file: `${messages}/move.ts`,
    find: "message.status === 'queued' || message.status === 'sent' || message.outcomeUnknown",
    replace: "message.status !== 'failed' || message.outcomeUnknown",
    caughtBy: [`${messages}/move.test.ts`],
  },
  {
    name: 'echo-of-another-number',
    breaks: 'I7: a status counts only from the number that the message went from',
    file: `${messages}/apply-status.ts`,
    find: 'channel !== undefined && channel.channelId === status?.channelId &&',
    replace: 'channel !== undefined && status !== undefined &&',
    caughtBy: [`${notices}/lanes.test.ts`],
  },
  {
    name: 'signed-over-printed-json',
    breaks: 'rule receive 1: a notice is checked over its raw bytes',
    file: 'server/src/platform/upstream/signature.ts',
    find: '.update(bytes)',
    replace: '.update(JSON.stringify(JSON.parse(bytes.toString())))',
    caughtBy: ['server/src/platform/upstream/signature.test.ts'],
  },
]
