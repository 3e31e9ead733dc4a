import type { PlantedBug } from './planted-bug.ts'

const turns = 'server/src/base/turns.ts'
const turnsTest = 'server/src/base/turns.test.ts'
const gate = 'server/src/platform/http/gate.ts'
const mail = 'server/src/platform/mail/mail.ts'
const mailTest = 'server/src/platform/mail/mail.test.ts'

/** What lets one item, one account or one number stop what is done for all of them together. */
export const sharingBugs: readonly PlantedBug[] = [
  {
    name: 'account-keeps-its-turn',
    breaks: 'turns go from account to account, and on where the last deal ended',
    file: turns,
    find: 'if (accounts.delete(accountId)) accounts.set(accountId, members)',
    replace: '',
    caughtBy: [turnsTest],
  },
  {
    name: 'number-keeps-its-turn',
    breaks: 'within an account turns go from member to member',
    file: turns,
    find: 'if (members?.delete(key)) members.set(key, member)',
    replace: '',
    caughtBy: [turnsTest],
  },
  {
    name: 'turn-ends-at-who-wants-none',
    breaks: 'a turn that one member does not want is left to the others',
    file: turns,
    find: 'if (!take(member, accountId)) continue',
    replace: 'if (!take(member, accountId)) return false',
    caughtBy: [turnsTest],
  },
  {
    name: 'bad-item-fails-its-batch',
    breaks: 'items whose data are refused fail alone',
    file: 'server/src/platform/database/halves.ts',
    find: 'if (items.length === 1 || !isDataFailure(ended.error))',
    replace: 'if (items.length >= 1 || !isDataFailure(ended.error))',
    caughtBy: ['server/src/platform/database/batcher.test.ts'],
  },
  {
    name: 'lost-commit-is-done-in-halves',
    breaks: 'a lost connection is not bisected: what was committed is not known',
    file: 'server/src/platform/database/halves.ts',
    find: 'if (items.length === 1 || !isDataFailure(ended.error))',
    replace: 'if (items.length === 1 || items.length < 0 * Number(isDataFailure(ended.error)))',
    caughtBy: ['server/src/platform/database/batcher.test.ts'],
  },
  {
    name: 'moment-before-all-is-a-number',
    breaks: 'a lane that was settled while a retry waited is looked for after a crash',
    file: 'server/src/platform/database/database.ts',
    find: 'return end === undefined ? parseMoment(text) : new Date(end)',
    replace: 'return end === undefined ? parseMoment(text) : (end as unknown as Date)',
    caughtBy: ['server/src/platform/database/database.test.ts'],
  },
  {
    name: 'slow-minute-sets-aside',
    breaks: 'rule receive 7: a limit of time sets no healthy item aside',
    file: 'server/src/features/notices/too-long.ts',
    find: "error instanceof TookTooLong || isTimeLimit(error) || sqlState(error) === '25P03'",
    replace: "sqlState(error) === '25P03'",
    caughtBy: ['server/src/features/notices/poison.test.ts'],
  },
  {
    name: 'file-of-a-deleted-message-stays',
    breaks: 'rule files 4: what no message has any more leaves no file behind',
    file: 'server/src/features/messages/fetch-file.ts',
    find: '      await releaseFiles(tx, [{ accountId: fetch.accountId, mediaId: media.id }], deps.clock.now())\n',
    replace: '',
    caughtBy: ['server/src/features/messages/fetch-file.test.ts'],
  },
  {
    name: 'one-crowd-fills-the-gate',
    breaks: 'who has too many waiting is refused, and another is not',
    file: gate,
    find: 'count >= waitingMax || queue.length >= waitingOfOneMax',
    replace: 'count >= waitingMax || queue.length >= waitingMax',
    caughtBy: ['server/src/platform/http/gate.test.ts'],
  },
  {
    name: 'crowd-keeps-the-gate',
    breaks: 'those that wait for the same thing take turns',
    file: gate,
    find: '    waiting.delete(owner)\n    if (queue.length > 0) waiting.set(owner, queue)',
    replace: '    if (queue.length === 0) waiting.delete(owner)',
    caughtBy: ['server/src/platform/http/gate.test.ts'],
  },
  {
    name: 'silent-mail-server-collects-mails',
    breaks: 'a bounded number of mails waits for a mail server',
    file: mail,
    find: 'if (waiting.length >= waitingMax) return Promise.resolve(false)',
    replace: '',
    caughtBy: [mailTest],
  },
  {
    name: 'stranger-gets-all-our-mails',
    breaks: 'one address gets twenty mails an hour',
    file: mail,
    find: "if (!toOne(mail.to.toLowerCase()).admitted) return 'TOO_MANY_TO_ONE'",
    replace: "if (!toOne(mail.to + clock.monotonicMs()).admitted) return 'TOO_MANY_TO_ONE'",
    caughtBy: [mailTest],
  },
  {
    name: 'all-mistakes-of-a-large-body',
    breaks: 'no body, however wrong, stops the others for long',
    file: 'server/src/platform/http/validation.ts',
    find: 'const isLarge = valuesIn(body, valuesMax) <= 0',
    replace: 'const isLarge = valuesIn(body, valuesMax) <= -1e9',
    caughtBy: ['server/test/whole/worst-bodies.test.ts'],
  },
  {
    name: 'token-opened-within-the-batch',
    breaks: 'a token that cannot be opened stops its own number only',
    file: 'server/src/features/messages/dispatch.ts',
    find: 'openedOrNull(unseal, channel.sealedToken)',
    replace: 'unseal(channel.sealedToken)',
    caughtBy: ['server/src/features/messages/neighbours.test.ts'],
  },
  {
    name: 'one-look-reads-all-rows',
    breaks: 'one look reads a bounded number of rows, and all lanes hold a bounded number',
    file: 'server/src/features/messages/lane-set.ts',
    find: 'Math.min(lane.rowsWanted, ofLook, room)',
    replace: 'Math.min(lane.rowsWanted, ofLook + room)',
    caughtBy: ['server/src/features/messages/lane-set.test.ts'],
  },
  {
    name: 'device-counts-as-anybody',
    breaks: 'a known device has tries that nobody else can use up',
    file: 'server/src/platform/http/attempts.ts',
    find: 'if (device !== null) return take',
    replace: 'if (device !== null && who === device) return take',
    caughtBy: ['server/src/platform/http/attempts.test.ts'],
  },
]
