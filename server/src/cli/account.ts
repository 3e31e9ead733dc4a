import { formatId, type Uuid } from '../base/id.ts'
import { invalidField, type Refusal } from '../base/refusal.ts'
import { ok, type Result, refused } from '../base/result.ts'
import {
  type Account,
  accountJson,
  createAccount,
  listAccounts,
  resumeAccount,
  setOptOutWords,
  suspendAccount,
} from '../features/accounts/public.ts'
import { readId, required } from './arguments.ts'
import type { Command, Output } from './command.ts'
import { described, moment, table } from './layout.ts'

export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    meaning: 'Create an account.',
    argument: null,
    flags: [
      { name: 'name', value: 'NAME', meaning: 'Name of the business.' },
      { name: 'plan', value: 'PLAN', meaning: 'Plan under which it is billed (see plan set).' },
    ],
    async run({ clock, withDatabase }, given) {
      const name = required(given, 'name')
      if (!name.ok) return name
      const input = { name: name.value, plan: given.text('plan') }
      return withDatabase(async ({ database }) => shown('The account was created.', await createAccount({ database, clock }, input)))
    },
  },
  {
    name: 'account list',
    meaning: 'List all accounts.',
    argument: null,
    flags: [],
    async run({ withDatabase }) {
      const accounts = await withDatabase(({ database }) => listAccounts(database))
      const rows = accounts.map((each) => [formatId('acc', each.id), each.plan ?? '-', moment(each.suspendedAt, 'active'), each.name])
      const text = table(['id', 'plan', 'suspended', 'name'], rows, 'There is no account yet. Make one with: account create --name NAME')
      return ok({ json: { object: 'list', data: accounts.map(accountJson), has_more: false }, text })
    },
  },
  changing('account suspend', 'Refuse all sends of an account; it can still read.', 'The account is suspended.', suspendAccount),
  changing('account resume', 'Let a suspended account send again.', 'The account may send.', resumeAccount),
  {
    name: 'account set',
    meaning: 'Change how an account works.',
    argument: 'ID',
    flags: [{ name: 'opt-out-words', value: 'on|off', meaning: 'Whether PARAR, SAIR, STOP … from a person is an opt-out.' }],
    async run({ withDatabase }, given) {
      const id = readId('acc', given.argument, 'id')
      if (!id.ok) return id
      const words = required(given, 'opt-out-words')
      if (!words.ok) return words
      if (words.value !== 'on' && words.value !== 'off')
        return refused(invalidField('opt-out-words', 'The flag --opt-out-words is on or off.'))
      const input = { id: id.value, on: words.value === 'on' }
      return withDatabase(async ({ database }) => shown('The account was changed.', await setOptOutWords({ database }, input)))
    },
  },
]

type Change = (deps: Parameters<typeof suspendAccount>[0], id: Uuid) => Promise<Result<Account, Refusal>>

function changing(name: string, meaning: string, sentence: string, change: Change): Command {
  return {
    name,
    meaning,
    argument: 'ID',
    flags: [],
    async run({ clock, withDatabase }, given) {
      const id = readId('acc', given.argument, 'id')
      if (!id.ok) return id
      return withDatabase(async ({ database }) => shown(sentence, await change({ database, clock }, id.value)))
    },
  }
}

function shown(sentence: string, account: Result<Account, Refusal>): Result<Output, Refusal> {
  if (!account.ok) return account
  const { id, name, plan, suspendedAt, optOutWords } = account.value
  const text = described(sentence, [
    ['id', formatId('acc', id)],
    ['name', name],
    ['plan', plan ?? 'none'],
    ['suspended', moment(suspendedAt, 'no')],
    ['opt-out words', optOutWords ? 'on' : 'off'],
  ])
  return ok({ json: accountJson(account.value), text })
}
