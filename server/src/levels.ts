import { httpLevels } from './platform/http/observation.ts'
import type { Level } from './platform/observe/observation.ts'

/** The level of each kind of observation in the log; any other kind is `info`. */
export const levels: Readonly<Record<string, Level>> = {
  ...httpLevels,
  batch: 'debug',
  'feed.followed': 'debug',
  'database.connection_lost': 'warn',
  'database.retry': 'warn',
  'database.history_judged': 'error',
  'database.mark_not_kept': 'warn',

  'event_loop.stalled': 'warn',

  'partitions.postponed': 'warn',
  'partitions.running_out': 'error',
  'lane.tick_failed': 'error',
  'shards.lost': 'warn',
  'shards.not_given_back': 'warn',
  'send.not_prepared': 'error',
  'send.not_settled': 'error',
  'send.token_not_opened': 'error',
  'send.orphans_unknown': 'warn',
  'send.gave_up_unknown': 'warn',
  'send.outcome_not_recorded': 'error',
  'notices.wrong_signature': 'warn',
  'notices.not_kept': 'error',
  'channel.checked': 'debug',
  'channel.unusable': 'warn',
  'notices.changes': 'debug',
  'notices.security': 'warn',
  'notices.batch_failed': 'error',
  'notices.postponed': 'warn',
  'media.unreadable': 'error',
  'webhook.result_waits': 'warn',
  'webhook.result_lost': 'error',
  'webhook.attempt_not_made': 'error',
  'clock.corrected': 'warn',
  'auth.connection_lost': 'warn',
  'mail.failed': 'warn',
  'errand.failed': 'error',
}
