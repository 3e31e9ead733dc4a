import type { PlantedBug } from './planted-bug.ts'

const members = 'server/src/features/members'
const mailbox = 'server/test/api/console-mailbox.test.ts'
const console = 'server/test/api/console-members.test.ts'

/** What makes somebody somebody else, or lets them see what is not theirs. */
export const mailboxBugs: readonly PlantedBug[] = [
  {
    name: 'made-up-address-is-known',
    breaks: 'who was made by a link that no mail carried is let into no other account',
    file: `${members}/invite.ts`,
    find: 'emailVerified: mailed }',
    replace: 'emailVerified: true || mailed }',
    caughtBy: [mailbox],
  },
  {
    name: 'operator-adds-whoever-is-there',
    breaks: 'the operator is told that nobody has shown that the mailbox is theirs',
    file: `${members}/account-members.ts`,
    find: 'if (!user.emailVerified && input.reset !== true) return refused(unproved)',
    replace: '',
    caughtBy: [mailbox],
  },
  {
    name: 'reset-keeps-the-password',
    breaks: 'after a reset nothing but the new link signs in',
    file: `${members}/account-members.ts`,
    find: 'if (!isNew && input.reset === true) await startAfresh(tx, user.id, now)',
    replace: '',
    caughtBy: [mailbox],
  },
  {
    name: 'mailed-link-proves-nothing',
    breaks: 'a link by mail shows who has the mailbox: all ways in before it are over',
    file: `${members}/link.ts`,
    find: 'if (proves) await startAfresh(tx, userId, now)',
    replace: '',
    caughtBy: [mailbox],
  },
  {
    name: 'invitation-outlives-its-maker',
    breaks: 'who is taken out takes their invitations along',
    file: `${members}/account-members.ts`,
    find: '  await takeInvitationsBack(tx, { accountId, userId }, null, now)\n',
    replace: '',
    caughtBy: [console],
  },
  {
    name: 'invitation-of-who-was-taken-out',
    breaks: 'no invitation leads somebody back who was taken out',
    file: `${members}/account-members.ts`,
    find: '  if (user !== null) await revokeInvitationsOf(tx, accountId, user.email, now)\n',
    replace: '',
    caughtBy: [console],
  },
  {
    name: 'invitation-beyond-the-new-role',
    breaks: 'invitations that a new role could not make are taken back',
    file: `${members}/account-members.ts`,
    find: '    await takeInvitationsBack(tx, asked, asked.role, clock.now())\n',
    replace: '',
    caughtBy: [console],
  },
  {
    name: 'token-of-a-webhook-shown-to-all',
    breaks: 'a viewer or an agent sees where a webhook leads, and not its token',
    file: 'server/src/features/messages/timeline-wire.ts',
    find: 'url: url === null || wholeUrls ? url : new URL(url).origin',
    replace: 'url: url === null || wholeUrls ? url : new URL(url).href',
    caughtBy: ['server/test/whole/no-role-sees-more.test.ts'],
  },
]
