import { formatId } from '../base/id.ts'
import { invalidField, type Refusal } from '../base/refusal.ts'
import { ok, type Result, refused } from '../base/result.ts'
import { apiKeyJson, isScope, issueKey, listKeys, revokeKeyOfAnybody, type Scope, scopes } from '../features/api-keys/public.ts'
import { type Arguments, readId, requiredAccount } from './arguments.ts'
import type { Command } from './command.ts'
import { moment, table } from './layout.ts'

export const keyCommands: readonly Command[] = [
  {
    name: 'key create',
    meaning: 'Make an API key and show it once.',
    argument: null,
    flags: [
      { name: 'account', value: 'ID', meaning: 'The account that it belongs to.' },
      { name: 'live', value: null, meaning: 'It sends for real.' },
      { name: 'test', value: null, meaning: 'It sends nothing and sees test messages only.' },
      { name: 'scopes', value: 'LIST', meaning: `What it may do, separated by commas: ${scopes.join(', ')}. Without it: everything.` },
    ],
    async run({ clock, withDatabase }, given) {
      const input = readKeyInput(given)
      if (!input.ok) return input
      const made = await withDatabase(({ database }) => issueKey({ database, clock }, input.value))
      if (!made.ok) return made
      const { key, secret } = made.value
      const text = [
        `The ${mode(key.livemode)} key ${formatId('key', key.id)} was made. It may do ${key.scopes?.join(', ') ?? 'everything'}.`,
        '',
        `  ${secret}`,
        '',
        'It is shown only now. Each call sends it as: Authorization: Bearer <key>',
      ].join('\n')
      return ok({ json: { ...apiKeyJson(key), key: secret }, text })
    },
  },
  {
    name: 'key list',
    meaning: 'List keys, without their secrets.',
    argument: null,
    flags: [{ name: 'account', value: 'ID', meaning: 'Only those of this account.' }],
    async run({ withDatabase }, given) {
      const account = given.text('account') === null ? ok(null) : requiredAccount(given)
      if (!account.ok) return account
      const keys = await withDatabase(({ database }) => listKeys(database, account.value))
      const rows = keys.map((key) => [
        formatId('key', key.id),
        key.name ?? '',
        formatId('acc', key.accountId),
        mode(key.livemode),
        moment(key.lastUsedAt, 'never'),
        moment(key.revokedAt, 'active'),
        key.scopes?.join(',') ?? 'all',
      ])
      const heading = ['id', 'name', 'account', 'mode', 'last used', 'revoked', 'scopes']
      const text = table(heading, rows, 'There is no key yet. Make one with: key create --account ID --live')
      return ok({ json: { object: 'list', data: keys.map(apiKeyJson), has_more: false }, text })
    },
  },
  {
    name: 'key revoke',
    meaning: 'Revoke a key; the next call with it is refused.',
    argument: 'ID',
    flags: [],
    async run({ clock, withDatabase }, given) {
      const id = readId('key', given.argument, 'id')
      if (!id.ok) return id
      const key = await withDatabase(({ database }) => revokeKeyOfAnybody({ database, clock }, id.value))
      if (!key.ok) return key
      return ok({ json: apiKeyJson(key.value), text: `The key ${given.argument} is revoked since ${moment(key.value.revokedAt, 'now')}.` })
    },
  },
]

const mode = (livemode: boolean) => (livemode ? 'live' : 'test')

function readKeyInput(given: Arguments): Result<Parameters<typeof issueKey>[1], Refusal> {
  const account = requiredAccount(given)
  if (!account.ok) return account
  if (given.on('live') === given.on('test')) return refused(invalidField('live', 'Give one of --live and --test.'))
  const wanted = readScopes(given.text('scopes'))
  return wanted.ok ? ok({ accountId: account.value, livemode: given.on('live'), scopes: wanted.value }) : wanted
}

function readScopes(text: string | null): Result<Scope[] | null, Refusal> {
  if (text === null) return ok(null)
  const wanted = [...new Set(text.split(',').map((each) => each.trim()))]
  const unknown = wanted.find((each) => !isScope(each))
  if (unknown === undefined) return ok(wanted.filter(isScope))
  return refused(invalidField('scopes', `There is no scope ${JSON.stringify(unknown)}. Known are ${scopes.join(', ')}.`))
}
