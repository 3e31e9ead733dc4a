import { formatId } from '../base/id.ts'
import { ok } from '../base/result.ts'
import { releaseAssigned } from '../features/conversations/public.ts'
import { addMember, listMembers, makeOperatorsLink, memberJson, removeMemberByEmail } from '../features/members/public.ts'
import { required, requiredAccount } from './arguments.ts'
import type { Command } from './command.ts'
import { described, moment, table } from './layout.ts'

const account = { name: 'account', value: 'ID', meaning: 'The account.' }
const email = { name: 'email', value: 'EMAIL', meaning: 'Their e-mail address.' }

const unprovedSentence =
  'The link signs them in once. They never showed that this mailbox is theirs: hand it to nobody but who you know to have made this user.'

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    meaning: 'Let somebody into an account, and print a link that signs them in once.',
    argument: null,
    flags: [
      account,
      email,
      { name: 'name', value: 'NAME', meaning: 'What they are called.' },
      { name: 'role', value: 'ROLE', meaning: 'owner, admin, agent or viewer. Without it: owner.' },
      { name: 'reset', value: null, meaning: 'Forget the password, second factor, sessions and links of who has this address.' },
    ],
    async run({ clock, config, withDatabase }, given) {
      const accountId = requiredAccount(given)
      if (!accountId.ok) return accountId
      const address = required(given, 'email')
      if (!address.ok) return address
      const input = {
        accountId: accountId.value,
        email: address.value,
        name: given.text('name'),
        role: given.text('role') ?? 'owner',
        reset: given.on('reset'),
      }
      const { publicUrl } = config()
      return withDatabase(async ({ database }) => {
        const added = await addMember({ database, clock }, input)
        if (!added.ok) return added
        const made = await makeOperatorsLink({ database, clock, publicUrl }, added.value.user.email)
        if (!made.ok) return made
        const { user, role } = added.value
        const { link, expiresAt } = made.value
        const text = described('They belong to the account. The link signs them in once:', [
          ['id', formatId('usr', user.id)],
          ['e-mail', user.email],
          ['role', role],
          ['link', link],
          ['valid until', moment(expiresAt, '-')],
        ])
        const json = { id: formatId('usr', user.id), object: 'user', email: user.email, name: user.name, role }
        return ok({ json: { ...json, link, link_expires_at: expiresAt.toISOString() }, text })
      })
    },
  },
  {
    name: 'user link',
    meaning: 'Print a link that signs somebody in once, within a day.',
    argument: null,
    flags: [email],
    async run({ clock, config, withDatabase }, given) {
      const address = required(given, 'email')
      if (!address.ok) return address
      const { publicUrl } = config()
      const made = await withDatabase(({ database }) => makeOperatorsLink({ database, clock, publicUrl }, address.value))
      if (!made.ok) return made
      const { link, expiresAt, emailVerified } = made.value
      const text = described(emailVerified ? 'The link signs them in once:' : unprovedSentence, [
        ['link', link],
        ['valid until', moment(expiresAt, '-')],
      ])
      return ok({ json: { object: 'link', email_verified: emailVerified, link, link_expires_at: expiresAt.toISOString() }, text })
    },
  },
  {
    name: 'user list',
    meaning: 'List who belongs to which account.',
    argument: null,
    flags: [{ name: 'account', value: 'ID', meaning: 'Only those of this account.' }],
    async run({ withDatabase }, given) {
      const accountId = given.text('account') === null ? ok(null) : requiredAccount(given)
      if (!accountId.ok) return accountId
      const members = await withDatabase(({ database }) => listMembers(database, accountId.value))
      const rows = members.map((each) => [
        formatId('usr', each.userId),
        formatId('acc', each.accountId),
        each.role,
        each.hasTwoFactor ? 'on' : 'off',
        each.emailVerified ? 'proved' : 'not proved',
        each.email,
        each.name,
      ])
      const heading = ['id', 'account', 'role', 'two-factor', 'mailbox', 'e-mail', 'name']
      const text = table(heading, rows, 'There is nobody yet. Let somebody in with: user create --account ID --email EMAIL')
      const data = members.map((each) => ({
        ...memberJson(each),
        account_id: formatId('acc', each.accountId),
        email_verified: each.emailVerified,
      }))
      return ok({ json: { object: 'list', data, has_more: false }, text })
    },
  },
  {
    name: 'user remove',
    meaning: 'Take somebody out of an account; their next call there is refused.',
    argument: null,
    flags: [account, email],
    async run({ clock, withDatabase }, given) {
      const accountId = requiredAccount(given)
      if (!accountId.ok) return accountId
      const address = required(given, 'email')
      if (!address.ok) return address
      const input = { accountId: accountId.value, email: address.value }
      const removed = await withDatabase(({ database }) => removeMemberByEmail({ database, clock, releaseWork: releaseAssigned }, input))
      if (!removed.ok) return removed
      const json = {
        id: formatId('usr', removed.value.userId),
        object: 'user',
        account_id: formatId('acc', input.accountId),
        removed: true,
      }
      return ok({ json, text: `${address.value} no longer belongs to the account.` })
    },
  },
]
