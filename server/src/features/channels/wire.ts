import { type Static, Type } from 'typebox'
import { formatId } from '../../base/id.ts'
import { type Channel, disconnectedByOperator } from './channel.ts'

const textOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description })
const timeOrNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

/** A Channel as the contract shows it. */
export const channelSchema = Type.Object(
  {
    id: Type.String({ description: 'The id of the number: `ch_` and 32 hex characters; usable as `channel_id`.' }),
    object: Type.Literal('channel', { description: 'What this is.' }),
    status: Type.String({ description: '`connected` while the number can send, else `disconnected`; more may come.' }),
    phone: textOrNull('Digits only, with country code.'),
    display_name: textOrNull('The name that people see.'),
    name_status: textOrNull("Upstream's review of that name."),
    quality: textOrNull('GREEN, YELLOW or RED; null: not rated yet.'),
    throughput: textOrNull("Upstream's level of throughput."),
    messaging_limit: textOrNull('How many people can be reached per 24 hours outside the service window.'),
    official_business_account: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description: 'Whether upstream shows it as an official business; null: not known.',
    }),
    waba_id: textOrNull('The WhatsApp Business Account that the number belongs to.'),
    phone_number_id: textOrNull("Upstream's id of the number."),
  },
  {
    $id: 'Channel',
    description: 'A number through which the account sends and receives.',
    examples: [
      {
        id: 'ch_019ac8e1b2c37d4e8f5a6b7c8d9e0f1a',
        object: 'channel',
        status: 'connected',
        phone: '551140000000',
        display_name: 'Padaria Estrela',
        name_status: 'APPROVED',
        quality: 'GREEN',
        throughput: 'STANDARD',
        messaging_limit: 'TIER_1K',
        official_business_account: false,
        waba_id: '204817396550128',
        phone_number_id: '118350927764405',
      },
    ],
  },
)

export type ChannelJson = Static<typeof channelSchema>

export function channelJson(channel: Channel): ChannelJson {
  return {
    id: formatId('ch', channel.id),
    object: 'channel',
    status: channel.status,
    phone: channel.phone,
    display_name: channel.displayName,
    name_status: channel.nameStatus,
    quality: channel.quality,
    throughput: channel.throughput,
    messaging_limit: channel.messagingLimit,
    official_business_account: channel.officialBusinessAccount,
    waba_id: channel.wabaId,
    phone_number_id: channel.phoneNumberId,
  }
}

/** The same with all that is known of it: what the console shows. Never its token. */
export const channelDetailsSchema = Type.Object({
  ...channelSchema.properties,
  disconnected_because: textOrNull("Why it cannot send, in upstream's words or ours; null while it is connected."),
  disconnected_by_hand: Type.Boolean({ description: 'Somebody disconnected it here: its token is gone.' }),
  on_business_app: Type.Boolean({ description: "The number also lives in the phone's Business app." }),
  subscribed: Type.Unsafe<boolean | null>({
    type: ['boolean', 'null'],
    description: 'Whether its notices come to our app; null: not known.',
  }),
  checked_at: timeOrNull('When upstream last said what it is.'),
  last_notice_at: timeOrNull('When a notice about it last came, to the minute; null: never.'),
  created_at: Type.String({ format: 'date-time', description: 'When it was connected first.' }),
})

export type ChannelDetailsJson = Static<typeof channelDetailsSchema>

export function channelDetailsJson(channel: Channel): ChannelDetailsJson {
  return {
    ...channelJson(channel),
    disconnected_because: channel.disconnectedBecause,
    disconnected_by_hand: channel.disconnectedBecause === disconnectedByOperator,
    on_business_app: channel.onBusinessApp,
    subscribed: channel.subscribed,
    checked_at: channel.checkedAt?.toISOString() ?? null,
    last_notice_at: channel.lastNoticeAt?.toISOString() ?? null,
    created_at: channel.createdAt.toISOString(),
  }
}

/** The same with what only the operator sees. */
export function operatorChannelJson(channel: Channel) {
  return {
    ...channelJson(channel),
    account_id: formatId('acc', channel.accountId),
    disconnected_because: channel.disconnectedBecause,
    subscribed: channel.subscribed,
    checked_at: channel.checkedAt?.toISOString() ?? null,
    last_notice_at: channel.lastNoticeAt?.toISOString() ?? null,
  }
}
