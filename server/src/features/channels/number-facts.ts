import type { NumberFields } from '../../platform/upstream/numbers.ts'
import type { NumberFacts } from './channel.ts'

/** Reads upstream's words about a number. Pure. */
export function numberFacts(fields: NumberFields): NumberFacts {
  const because = whyNotConnected(fields)
  return {
    status: because === null ? 'connected' : 'disconnected',
    disconnectedBecause: because,
    phone: digitsOf(fields.displayPhoneNumber),
    displayName: fields.verifiedName,
    nameStatus: fields.nameStatus,
    quality: knownQuality(fields.qualityRating),
    throughput: fields.throughputLevel,
    // Upstream replaced the tier of a number by the limit of its portfolio; older versions answer only the tier.
    messagingLimit: fields.managerMessagingLimit ?? fields.messagingLimitTier,
    officialBusinessAccount: fields.isOfficialBusinessAccount,
    onBusinessApp: fields.isOnBusinessApp ?? false,
  }
}

/** A number sends only while upstream calls it connected and it lives on the Cloud API. A missing platform counts as that. */
function whyNotConnected(fields: NumberFields): string | null {
  const platform = fields.platformType ?? 'CLOUD_API'
  if (platform !== 'CLOUD_API')
    return `The number is not registered on the Cloud API (upstream says ${platform}): connect it again with --pin.`
  if (fields.status !== 'CONNECTED') return `Upstream says that the number is ${fields.status ?? 'of no known status'}.`
  return null
}

function digitsOf(text: string | null): string | null {
  const digits = text?.replace(/\D/g, '') ?? ''
  return digits === '' ? null : digits
}

const knownQuality = (rating: string | null): string | null => (rating === 'UNKNOWN' || rating === 'NA' ? null : rating)

/** Whether our app is among those that get the notices of a WABA; while our app's id is not known (null), any app counts. */
export const getsNotices = (appIds: readonly string[], appId: string | null): boolean =>
  appId === null ? appIds.length > 0 : appIds.includes(appId)
