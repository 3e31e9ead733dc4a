import { formatId } from '../base/id.ts'
import type { Refusal } from '../base/refusal.ts'
import { ok, type Result } from '../base/result.ts'
import {
  type Channel,
  connectChannel,
  disconnectChannel,
  listAllChannels,
  listChannels,
  operatorChannelJson,
  setChannelToken,
} from '../features/channels/public.ts'
import { type Arguments, readId, required, requiredAccount } from './arguments.ts'
import type { Command, Context, Output } from './command.ts'
import { described, moment, table } from './layout.ts'
import type { OpenedDatabase } from './open-database.ts'
import { openUpstream } from './open-upstream.ts'
import { flagsOf, readSecret, type SecretFlag } from './secret-input.ts'

const token: SecretFlag = {
  name: 'token',
  value: 'T',
  meaning: 'A token of a system user, which does not expire.',
  question: 'Token of the number',
  required: true,
}
const pin: SecretFlag = {
  name: 'pin',
  value: 'N',
  meaning: 'Six digits: also register the number on the Cloud API.',
  question: 'Six digits of the PIN',
  required: false,
}

export const channelCommands: readonly Command[] = [
  {
    name: 'channel connect',
    meaning: 'Connect a number to an account; again with a new token brings it up to date.',
    argument: null,
    flags: [
      { name: 'account', value: 'ID', meaning: 'The account that speaks through it.' },
      { name: 'phone-number-id', value: 'P', meaning: "Meta's id of the number, not the number itself." },
      { name: 'waba-id', value: 'W', meaning: 'The WhatsApp Business Account that it belongs to.' },
      ...flagsOf(token),
      ...flagsOf(pin),
    ],
    async run(context, given) {
      const input = await readConnectInput(context, given)
      if (!input.ok) return input
      return shown(await withUpstream(context, (deps) => connectChannel(deps, input.value)))
    },
  },
  {
    name: 'channel list',
    meaning: 'List numbers, as upstream last told.',
    argument: null,
    flags: [{ name: 'account', value: 'ID', meaning: 'Only those of this account.' }],
    async run({ withDatabase }, given) {
      const account = given.text('account') === null ? ok(null) : requiredAccount(given)
      if (!account.ok) return account
      const channels = await withDatabase(({ database }) =>
        account.value === null ? listAllChannels(database) : listChannels(database, account.value),
      )
      const rows = channels.map((each) => [
        formatId('ch', each.id),
        formatId('acc', each.accountId),
        each.phone ?? '-',
        each.status,
        notices(each),
        moment(each.lastNoticeAt, 'never'),
        each.displayName ?? '-',
      ])
      const heading = ['id', 'account', 'phone', 'status', 'notices', 'last notice', 'name']
      const text = table(heading, rows, 'No number is connected yet (see channel connect --help).')
      return ok({ json: { object: 'list', data: channels.map(operatorChannelJson), has_more: false }, text })
    },
  },
  {
    name: 'channel disconnect',
    meaning: 'Stop all sends of a number and forget its token.',
    argument: 'ID',
    flags: [],
    async run({ withDatabase }, given) {
      const id = readId('ch', given.argument, 'id')
      if (!id.ok) return id
      return shown(await withDatabase(({ database }) => disconnectChannel({ database }, id.value)))
    },
  },
  {
    name: 'channel set-token',
    meaning: 'Replace the token of a number, once upstream accepts the new one.',
    argument: 'ID',
    flags: flagsOf(token),
    async run(context, given) {
      const channelId = readId('ch', given.argument, 'id')
      if (!channelId.ok) return channelId
      const secret = await readSecret(context, given, token)
      if (!secret.ok) return secret
      const input = { channelId: channelId.value, token: secret.value ?? '' }
      return shown(await withUpstream(context, (deps) => setChannelToken(deps, input)))
    },
  },
]

type UpstreamDeps = Parameters<typeof connectChannel>[0]

async function withUpstream<Value>(context: Context, work: (deps: UpstreamDeps) => Promise<Value>): Promise<Value> {
  const config = context.config()
  const graph = await openUpstream(config, context.clock)
  try {
    return await context.withDatabase(async ({ database, secretKey }: OpenedDatabase) =>
      work({ database, clock: context.clock, graph, secretKey: await secretKey(), appId: config.metaAppId }),
    )
  } finally {
    await graph.close()
  }
}

async function readConnectInput(context: Context, given: Arguments): Promise<Result<Parameters<typeof connectChannel>[1], Refusal>> {
  const accountId = requiredAccount(given)
  if (!accountId.ok) return accountId
  const phoneNumberId = required(given, 'phone-number-id')
  if (!phoneNumberId.ok) return phoneNumberId
  const wabaId = required(given, 'waba-id')
  if (!wabaId.ok) return wabaId
  const secret = await readSecret(context, given, token)
  if (!secret.ok) return secret
  const digits = await readSecret(context, given, pin)
  if (!digits.ok) return digits
  const input = { accountId: accountId.value, phoneNumberId: phoneNumberId.value, wabaId: wabaId.value, token: secret.value ?? '' }
  return ok({ ...input, pin: digits.value })
}

/** Whether upstream sends the notices of the number's WABA to our app. */
const notices = ({ subscribed }: Channel): string => (subscribed === null ? 'not known' : subscribed ? 'on' : 'off')

function shown(channel: Result<Channel, Refusal>): Result<Output, Refusal> {
  if (!channel.ok) return channel
  const { id, status, disconnectedBecause, phone, displayName, phoneNumberId, wabaId, messagingLimit } = channel.value
  const sentence = disconnectedBecause === null ? `The number is ${status}.` : `The number is ${status}: ${disconnectedBecause}`
  const text = described(sentence, [
    ['id', formatId('ch', id)],
    ['phone', phone ?? 'not known'],
    ['name', displayName ?? 'not known'],
    ['phone number id', phoneNumberId],
    ['WABA id', wabaId],
    ['messaging limit', messagingLimit ?? 'not known'],
    ['notices', notices(channel.value)],
  ])
  return ok({ json: operatorChannelJson(channel.value), text })
}
