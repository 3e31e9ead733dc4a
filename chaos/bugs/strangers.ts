import type { PlantedBug } from './planted-bug.ts'

const http = 'server/src/platform/http'
const bodies = `${http}/open-bodies.ts`
const connections = `${http}/connections.ts`

/** What lets somebody without a key, or one account, take the memory or the connections of all. */
export const strangerBugs: readonly PlantedBug[] = [
  {
    name: 'bodies-held-by-announcement',
    breaks: 'what is announced and does not come holds nothing',
    file: bodies,
    find: 'if (bodyBytesHeld !== undefined && !take(body, bodyBytesHeld))',
    replace: 'if (!take(body, bodyBytesHeld ?? Number(length ?? 0)))',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'strangers-share-with-accounts',
    breaks: 'strangers take no room of those with a key',
    file: bodies,
    find: 'isSigner(request.ip) ? shares.signers : shares.strangers',
    replace: 'isSigner(request.ip) ? shares.signers : shares.accounts',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'signers-are-strangers',
    breaks: 'upstream has room that strangers cannot fill',
    file: bodies,
    find: 'isSigner(request.ip) ? shares.signers : shares.strangers',
    replace: 'isSigner(request.ip) ? shares.strangers : shares.strangers',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'accounts-of-one-network-share-a-bound',
    breaks: 'an account that fills its own bound leaves room for another',
    file: bodies,
    find: 'owner: known ?? networkOf(request.ip)',
    replace: 'owner: networkOf(request.ip)',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'slow-body-keeps-its-room',
    breaks: 'a slow body of a stranger makes room for one that comes',
    file: bodies,
    find: '(body.share.givesWay && makeRoom(body, bytes))',
    replace: '(body.share.givesWay && body.share.bytesMax < 0 && makeRoom(body, bytes))',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'dripping-body-is-read-for-ever',
    breaks: 'a body that only drips is cut',
    file: bodies,
    find: 'nowMs - body.beganMs >= body.share.wholeMsMax || ',
    replace: '',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'who-hangs-up-keeps-its-bytes',
    breaks: 'a caller that hangs up gives its bytes back',
    file: bodies,
    find: '      hold(body, -body.held)\n    })',
    replace: '    })',
    caughtBy: [`${http}/open-bodies.test.ts`],
  },
  {
    name: 'connections-without-a-bound',
    breaks: 'a network without a key holds so many connections, and no more',
    file: connections,
    find: 'if (owner.count > max) close(otherThan(connection, owner.idle))',
    replace: '',
    caughtBy: [`${http}/connections.test.ts`],
  },
  {
    name: 'newest-connection-is-closed',
    breaks: 'a health check or a caller with a key always gets through',
    file: connections,
    find: '  for (const each of idle) if (each !== connection) return each\n  return connection',
    replace: '  return idle.size < 0 ? [...idle][0]! : connection',
    caughtBy: [`${http}/connections.test.ts`],
  },
  {
    name: 'key-counts-as-stranger',
    breaks: 'a connection that has shown a key no longer counts as one of strangers',
    file: connections,
    find: '      own(connection, known, bounds.ofCaller)\n',
    replace: '      own(connection, connection.owner?.name ?? null, bounds.ofNetwork)\n',
    caughtBy: [`${http}/connections.test.ts`],
  },
  {
    name: 'busy-connection-is-closed',
    breaks: 'a connection whose request is being answered is not closed for a new one',
    file: connections,
    find: '      connection.owner?.idle.delete(connection)\n      connection.unanswered += 1',
    replace: '      connection.unanswered += 1',
    caughtBy: [`${http}/connections.test.ts`],
  },
  {
    name: 'pipeline-without-a-bound',
    breaks: 'a client that reads no answer is cut off',
    file: connections,
    find: 'if (connection.unanswered > bounds.unanswered) close(connection)',
    replace: '',
    caughtBy: [`${http}/connections.test.ts`],
  },
]
