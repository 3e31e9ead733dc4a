import type { Answer } from '../../api/client.ts'
import type { Tone } from '../../ui/standing.tsx'

export type Channel = Answer<'GET /account/channels/details'>['data'][number]
export type Connection = Answer<'POST /account/channels'>
export type Step = Connection['steps'][number]

/** What upstream calls the quality of a number, as it is shown. */
export function qualityTone(quality: string | null): Tone {
  if (quality === 'GREEN') return 'good'
  if (quality === 'YELLOW') return 'warning'
  return quality === 'RED' ? 'bad' : 'quiet'
}

/** Words of upstream's that we have words for; the others are shown as they came. */
export const known = {
  quality: ['GREEN', 'YELLOW', 'RED'],
  limit: ['TIER_50', 'TIER_250', 'TIER_1K', 'TIER_2K', 'TIER_10K', 'TIER_100K', 'TIER_UNLIMITED'],
  name: ['APPROVED', 'AVAILABLE_WITHOUT_REVIEW', 'DECLINED', 'EXPIRED', 'NONE', 'NON_EXISTS', 'PENDING_REVIEW'],
  throughput: ['STANDARD', 'HIGH', 'NOT_APPLICABLE'],
} as const
