import { parseId, type Uuid } from '../../base/id.ts'
import { because, invalidField, type Refusal, refusal } from '../../base/refusal.ts'
import { ok, type Result, refused } from '../../base/result.ts'
import { openedOrNull, type SecretKey, unseal } from '../../base/seal.ts'
import type { Database } from '../../platform/database/database.ts'
import type { WabaCall } from '../../platform/upstream/templates.ts'
import { type ChannelInUse, channelsOf } from '../channels/public.ts'

type Deps = { database: Database; secretKey: SecretKey }

/** `channelId` as it was written; null: none was. */
type Asked = { accountId: Uuid; channelId: string | null }

/** rule: templates 3. The business account that an operation is about, with a token that may manage it. */
export async function chooseWaba({ database, secretKey }: Deps, { accountId, channelId }: Asked): Promise<Result<WabaCall, Refusal>> {
  const id = channelId === null ? null : parseId('ch', channelId)
  if (channelId !== null && id === null)
    return refused(invalidField('channel_id', because('malformed', 'This must be the id of a channel: ch_ and 32 hex characters.')))
  const chosen = chosenChannel((await channelsOf(database, [accountId])).get(accountId) ?? [], id)
  if (!chosen.ok) return chosen
  const { wabaId, sealedToken } = chosen.value
  const token = openedOrNull((sealed) => unseal(secretKey, sealed), sealedToken)
  return token === null ? refused(notConnected) : ok({ wabaId, token })
}

function chosenChannel(channels: readonly ChannelInUse[], id: Uuid | null): Result<ChannelInUse, Refusal> {
  const meant = id === null ? channels : channels.filter((each) => each.id === id)
  if (id !== null && meant.length === 0) return refused(refusal('not_found', because('no_channel', 'There is no channel with this id.')))
  // A disconnected number counts: which business account is meant is still not known.
  if (new Set(meant.map((each) => each.wabaId)).size > 1) return refused(ambiguous)
  // Templates belong to the business account: any number of it that is connected will do.
  const usable = meant.find((each) => each.status === 'connected' && each.sealedToken !== null)
  return usable === undefined ? refused(notConnected) : ok(usable)
}

const ambiguous = refusal(
  'channel_ambiguous',
  because(
    'channel_ambiguous',
    'The account has numbers of more than one WhatsApp Business Account: say with channel_id which one is meant.',
  ),
)

const notConnected = refusal(
  'channel_not_connected',
  because('number_not_connected', 'The number is not connected to the official API now.'),
)
